import { equal, match, ok } from "node:assert/strict";
import { z } from "zod";
import { argumentsError, FAULTS_MAX, SHOWN_CHARS_MAX } from "../lib/argument_faults.ts";

const schema = z.strictObject({
  name: z.string().min(2).max(5).optional(),
  list: z.array(z.number()).max(100).optional(),
});

/** The message for arguments that the schema refuses. */
function messageFor(args: unknown): string {
  const { error } = schema.safeParse(args);
  ok(error);
  return argumentsError("t", args, { issues: error.issues, known: Object.keys(schema.shape) }).message;
}

Deno.test.each([
  { args: { name: "x" }, says: `"name" must have at least 2 characters, got 1` },
  { args: { name: "x".repeat(6) }, says: `"name" must have at most 5 characters, got 6` },
  { args: { name: ["x"] }, says: `"name" must be a text, got a list` },
  { args: { list: {} }, says: `"list" must be a list, got an object` },
  { args: { list: [1, "2"] }, says: `"list[1]" must be a number, got "2"` },
  { args: { nme: 1, lst: 2 }, says: `unknown argument "nme", "lst"` },
])("argumentsError() of $args says what is expected and what came", ({ args, says }) => {
  equal(messageFor(args), `Cannot call t: ${says} (it takes name, list)`);
});

Deno.test("argumentsError() repeats short values only", () => {
  const text = (chars: number) => ({ list: "x".repeat(chars) });
  match(messageFor(text(SHOWN_CHARS_MAX - 2)), /got "x+" /);
  match(messageFor(text(SHOWN_CHARS_MAX - 1)), /got a text of 59 characters /);
  match(messageFor({ ["k".repeat(SHOWN_CHARS_MAX + 1)]: 1 }), /unknown argument "k{60}…"/);
});

Deno.test("argumentsError() tells so many faults and counts the others", () => {
  const list = (items: number) => ({ list: Array.from({ length: items }, () => "x") });
  ok(!messageFor(list(FAULTS_MAX)).includes("more"));
  match(messageFor(list(FAULTS_MAX + 2)), /; and 2 more \(/);
});
