/**
 * A legacy client before a modern server: `input_required` becomes requests to the client, whose answers go back with a
 * repeated call.
 * @module
 */

import { bytesOf, concat, type Edit, isObjectAt, memberOf, membersOf, type Message, stringAt } from "../wire/mod.ts";
import { errorText, insertion } from "./answers.ts";
import type { Asks } from "./asks.ts";
import type { ClientCall } from "./call.ts";

/** Rounds of questions within one call. */
export const INPUT_ROUNDS_MAX = 32;
/** Wait before a call is repeated to which the server had no question. */
const REPEAT_MS = 500;

/** Whether a server's answer is a question. */
export function isInputRequired(answer: Message): boolean {
  if (answer.kind !== "result" || !answer.outcome) return false;
  const type = memberOf(answer.bytes, answer.outcome.start, "resultType");
  return type !== undefined && stringAt(answer.bytes, type) === "input_required";
}

/**
 * Asks the client everything that a server's answer asks for. Resolves with the changes that make the client's call
 * carry the answers, or undefined when the call was cancelled meanwhile.
 *
 * @throws Error when the client refuses a request; the message says which.
 */
export async function askInputs(call: ClientCall, answer: Message, asks: Asks): Promise<Edit[] | undefined> {
  const { bytes, outcome } = answer;
  const requests = outcome && memberOf(bytes, outcome.start, "inputRequests");
  const members = isObjectAt(bytes, requests) ? membersOf(bytes, requests.start) ?? [] : [];
  const withdrawals: (() => void)[] = [];
  call.onCancel = () => withdrawals.forEach((withdraw) => withdraw());
  const answers = members.map((member) => {
    const method = stringAt(bytes, memberOf(bytes, member.start, "method")) ?? "";
    const params = memberOf(bytes, member.start, "params");
    return new Promise<Uint8Array | undefined>((resolve, reject) => {
      const id = asks.ask(method, params && bytes.subarray(params.start, params.end), (given) => {
        if (given.kind === "result" && given.outcome) {
          const value = given.bytes.subarray(given.outcome.start, given.outcome.end);
          resolve(concat([bytesOf(`${JSON.stringify(member.name)}:`), value]));
        } else {
          reject(new Error(`the client refused ${method}: ${errorText(given)}`));
        }
      });
      withdrawals.push(() => (asks.withdraw(id), resolve(undefined)));
    });
  });
  if (answers.length === 0) await new Promise((resolve) => setTimeout(resolve, REPEAT_MS));
  const given = await Promise.all(answers).finally(() => call.isEnded || withdrawals.forEach((withdraw) => withdraw()));
  if (call.isEnded) return undefined;
  return [inputEdit(call, answer, given)];
}

function inputEdit(call: ClientCall, answer: Message, given: readonly (Uint8Array | undefined)[]): Edit {
  const { bytes, outcome } = answer;
  const pieces: Uint8Array[] = [bytesOf('"inputResponses":{')];
  given.forEach((value, i) => value && pieces.push(...(i === 0 ? [value] : [bytesOf(","), value])));
  pieces.push(bytesOf("}"));
  const state = outcome && memberOf(bytes, outcome.start, "requestState");
  if (state) pieces.push(bytesOf(',"requestState":'), bytes.subarray(state.start, state.end));
  const { params } = call.parts;
  if (!params) throw new Error("the call has no params to repeat");
  const place = insertion(call.message.bytes, params, "");
  return { ...place, bytes: concat([...pieces, place.bytes]) };
}
