/** Registers a test that cites the SPEC rules it proves; `spec_test.ts` checks both directions. @module */

/** `verifies("WIRE-1 WIRE-4", "framing splits …", fn)`: ids separated by spaces, all present in SPEC.md. */
export function verifies(
  rules: string,
  name: string,
  fn: (t: Deno.TestContext) => void | Promise<void>,
  options: Omit<Deno.TestDefinition, "name" | "fn"> = {},
): void {
  Deno.test({ ...options, name: `${name} [${rules}]`, fn });
}
