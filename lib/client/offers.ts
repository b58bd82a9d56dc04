/** What loom offers upward: the servers' capabilities taken together, and their instructions under their names. @module */

import type { Hello } from "../gateway/mod.ts";

/** Characters of all instructions together; clients cut a little above. */
export const INSTRUCTIONS_CHARS_MAX = 2_000;
/** Characters of loom's own part of them. */
export const OWN_INSTRUCTIONS_CHARS_MAX = 500;

/** A server's name and what it said of itself. */
export interface Introduction {
  readonly name: string;
  readonly hello: Hello;
}

type Capabilities = Record<string, unknown>;

/** Offered while it isn't known yet what some server has, so that a late one can be used. */
const POSSIBLE: Capabilities = {
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
};

/** The union of what the servers have, and tools, which loom always has. */
export function capabilitiesOf(introductions: readonly Introduction[], complete: boolean): Capabilities {
  let union: Capabilities = {};
  for (const { hello } of introductions) union = unionOf(union, hello.capabilities) as Capabilities;
  if (!complete) union = unionOf(union, POSSIBLE) as Capabilities;
  const offered: Capabilities = { ...union, tools: { ...asObject(union["tools"]), listChanged: true } };
  // loom tells when a server comes or goes, also for servers that never change by themselves.
  for (const list of ["resources", "prompts"]) {
    if (offered[list] !== undefined) offered[list] = { ...asObject(offered[list]), listChanged: true };
  }
  return offered;
}

function unionOf(a: unknown, b: unknown): unknown {
  if (isObject(a) && isObject(b)) {
    const union: Record<string, unknown> = { ...a };
    for (const [key, value] of Object.entries(b)) {
      union[key] = Object.hasOwn(union, key) ? unionOf(union[key], value) : value;
    }
    return union;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    const seen = new Set(a.map((value) => JSON.stringify(value)));
    return [...a, ...b.filter((value) => !seen.has(JSON.stringify(value)))];
  }
  if (a === false || a === undefined || a === null) return b;
  return a;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

/** loom's own instructions, then each server's in an equal share of the room that is left. */
export function instructionsOf(own: string, introductions: readonly Introduction[]): string {
  const parts = [cut(own, OWN_INSTRUCTIONS_CHARS_MAX)];
  const speakers = introductions.filter(({ hello }) => hello.instructions?.trim());
  let room = INSTRUCTIONS_CHARS_MAX - (parts[0]?.length ?? 0);
  // Shorter ones first: what they leave over goes to the longer ones.
  const byLength = [...speakers].sort((a, b) => lengthOf(a) - lengthOf(b));
  const shares = new Map<string, string>();
  byLength.forEach((speaker, i) => {
    const heading = `\n\n## ${speaker.name}\n`;
    const share = Math.floor(room / (byLength.length - i));
    const text = share > heading.length
      ? heading + cut(speaker.hello.instructions?.trim() ?? "", share - heading.length)
      : "";
    shares.set(speaker.name, text);
    room -= text.length;
  });
  for (const { name } of speakers) parts.push(shares.get(name) ?? "");
  return parts.join("");
}

function lengthOf({ hello }: Introduction): number {
  return hello.instructions?.trim().length ?? 0;
}

function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, Math.max(0, charsMax - 1)).toWellFormed()}…`;
}
