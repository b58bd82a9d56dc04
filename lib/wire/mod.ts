/** The wire: lines, messages and their places, all as bytes. @module */

export { concat, LineFramer, type LineSink, MESSAGE_BYTES_MAX } from "./framing.ts";
export { type Edit, membersRemoved, type Message, type MessageKind, readMessage, spliced } from "./message.ts";
export {
  bytesOf,
  digitsOf,
  elementsOf,
  endOfValue,
  isObjectAt,
  type Member,
  memberOf,
  membersOf,
  nameIs,
  skipBlank,
  type Span,
  stringAt,
  textOf,
  valueAt,
  valueOf,
  walkMembers,
} from "./slices.ts";
export { BACKLOG_BYTES_HIGH, LineWriter } from "./writer.ts";
