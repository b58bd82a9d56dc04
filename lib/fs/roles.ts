/** Which role may do what: one table, and what each operation asks for. @module */

/** One right over the files of a root. */
export type Permission = "read" | "write" | "delete";

/** What a root may grant, in the order in which it is always written. */
export const PERMISSIONS = ["read", "write", "delete"] as const satisfies readonly Permission[];

/** What a root is for; it bounds what the root may grant. */
export type Role = "reference" | "sourcecode" | "workspace";

/** The most that a root of each role may grant. */
export const ROLES = {
  reference: ["read"],
  sourcecode: ["read", "write"],
  workspace: ["read", "write", "delete"],
} as const satisfies Record<Role, readonly Permission[]>;

/** What each operation needs of its root. An edit shows what it replaces, so it reads as well. */
export const OPERATIONS = {
  list: ["read"],
  read: ["read"],
  search: ["read"],
  write: ["write"],
  edit: ["read", "write"],
  mkdir: ["write"],
  move: ["write"],
  delete: ["delete"],
} as const satisfies Record<string, readonly Permission[]>;

/** A name in {@link OPERATIONS}, as the audit log writes it. */
export type Operation = keyof typeof OPERATIONS;

/** The permission that `operation` needs and `granted` lacks, or undefined when nothing is missing. */
export function missingPermission(granted: readonly Permission[], operation: Operation): Permission | undefined {
  return OPERATIONS[operation].find((needed) => !granted.includes(needed));
}
