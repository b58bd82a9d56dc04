/** Arguments of loom's own tools: parsed once, and named when they are wrong. @module */

import type { z } from "zod";
import { LoomError } from "../errors.ts";
import { OWN_INPUTS, type OwnToolName } from "../own_tools.ts";

/** The arguments of a call, as the tool's input schema says; `ARGUMENTS_INVALID` names every one that is wrong. */
export function parseArguments<Name extends OwnToolName>(
  name: Name,
  args: Uint8Array | undefined,
): z.infer<(typeof OWN_INPUTS)[Name]> {
  const checked = OWN_INPUTS[name].safeParse(readJson(name, args));
  if (checked.success) return checked.data as z.infer<(typeof OWN_INPUTS)[Name]>;
  const faults = checked.error.issues.map((issue) => describeIssue(issue));
  const known = Object.keys(OWN_INPUTS[name].shape).map((key) => `"${key}"`).join(", ") || "none";
  throw new LoomError("ARGUMENTS_INVALID", `Cannot run ${name}: ${faults.join("; ")}. Its arguments: ${known}`);
}

function readJson(name: string, args: Uint8Array | undefined): unknown {
  if (args === undefined || args.length === 0) return {};
  try {
    return JSON.parse(new TextDecoder().decode(args)) ?? {};
  } catch {
    throw new LoomError("ARGUMENTS_INVALID", `Cannot run ${name}: its arguments are no JSON object`);
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `unknown argument ${issue.keys.map((key) => `"${key}"`).join(", ")}`;
  const path = issue.path.map(String).join(".");
  if (path === "") return `the arguments must be an object: ${issue.message}`;
  if (issue.message.endsWith("received undefined")) return `argument "${path}" is missing`;
  return `argument "${path}": ${issue.message}`;
}
