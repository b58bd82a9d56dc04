/** The wire: lines, messages and their places, all as bytes. @module */

export {
  concat,
  LARGE_LINE_BYTES,
  LARGE_LINE_MS,
  LineFramer,
  type LineSink,
  type LineTaker,
  MESSAGE_BYTES_MAX,
  type OpenLine,
} from "./framing.ts";
export { type Edit, membersRemoved, type Message, type MessageKind, readMessage, spliced } from "./message.ts";
export {
  bytesOf,
  digitsOf,
  elementsOf,
  endOfValue,
  isObjectAt,
  type Member,
  MemberNames,
  memberOf,
  membersOf,
  skipBlank,
  type Span,
  stringAt,
  textOf,
  valueAt,
  valueOf,
  walkMembers,
} from "./slices.ts";
export { SocketReader, SocketWriter } from "./sockets.ts";
export { UnfinishedJson } from "./unfinished.ts";
export { BACKLOG_BYTES_HIGH, LineWriter } from "./writer.ts";
