/** Arguments of loom's own tools: parsed once, and named when they are wrong. @module */

import type { z } from "zod";
import { argumentsError } from "../argument_faults.ts";
import { LoomError } from "../errors.ts";
import { OWN_INPUTS, type OwnToolName } from "../own_tools.ts";

/** The arguments of a call, as the tool's input schema says; `ARGUMENTS_INVALID` names every one that is wrong. */
export function parseArguments<Name extends OwnToolName>(
  name: Name,
  args: Uint8Array | undefined,
): z.infer<(typeof OWN_INPUTS)[Name]> {
  const value = readJson(name, args);
  const checked = OWN_INPUTS[name].safeParse(value);
  if (checked.success) return checked.data as z.infer<(typeof OWN_INPUTS)[Name]>;
  const known = Object.keys(OWN_INPUTS[name].shape);
  throw argumentsError(name, value, { issues: checked.error.issues, known });
}

function readJson(name: string, args: Uint8Array | undefined): unknown {
  if (args === undefined || args.length === 0) return {};
  try {
    return JSON.parse(new TextDecoder().decode(args)) ?? {};
  } catch {
    throw new LoomError("ARGUMENTS_INVALID", `Cannot call ${name}: the arguments must be one JSON object`);
  }
}
