/** Names that nothing is known to have: which server would have it by its prefix, and what is said of it. @module */

import { CODE, type Server } from "../gateway/mod.ts";
import { nearestFew } from "../nearest.ts";
import type { ClientCall } from "./call.ts";
import { type ClientSession, failPlainly, unavailable } from "./session.ts";

/** Known names that an answer to an unknown one gives. */
export const NEAREST_NAMES_MAX = 3;

/** Answers a call of a tool whose name is not in the catalogue. */
export function unknownTool({ gateway, parts }: ClientSession, call: ClientCall, name: string): void {
  const server = ownerByPrefix(gateway.servers, name, ({ knowsTools }) => !knowsTools);
  if (server?.session) return failPlainly(call, unlistedText(server, name));
  if (server) return unavailable(call, server);
  const known = [...gateway.tools.names, ...parts.ownTools.map((tool) => tool.name)];
  const nearest = nearestFew(name, known, NEAREST_NAMES_MAX).join(", ");
  call.fail(CODE.invalidParams, `Unknown tool: ${name}. The nearest names: ${nearest}; tools/list has them all`);
}

/** Answers a request for a prompt that no server is known to have. */
export function unknownPrompt({ gateway }: ClientSession, call: ClientCall, name: string): void {
  const server = ownerByPrefix(gateway.servers, name, ({ session }) => session === undefined);
  if (server) unavailable(call, server);
  else call.fail(CODE.invalidParams, `Unknown prompt: ${name}; prompts/list has all names`);
}

/** Of the servers that may have more than is known, the one whose prefix the name begins with; of several, the longest. */
function ownerByPrefix(
  servers: readonly Server[],
  name: string,
  mayHaveMore: (server: Server) => boolean,
): Server | undefined {
  return servers.filter((server) => name.startsWith(`${server.name}_`) && mayHaveMore(server))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}

/** What is said of a server that runs and whose tools are not known. */
function unlistedText({ name: server, listProblem }: Server, name: string): string {
  return listProblem === ""
    ? `Server "${server}" has not listed its tools yet, so "${name}" is not known; try again in a few seconds`
    : `Server "${server}" runs, but its tools could not be listed (${listProblem}), so "${name}" is not known; ` +
      "use other tools";
}
