/** The gate: the only place that turns a model's text into a path, or into a refusal that names the rule. @module */

import type { Audit } from "./audit.ts";
import type { Stat } from "./folder.ts";
import { HOST_STYLE, relativeParts } from "./names.ts";
import { explained, quoted, Refusal, SystemError } from "./refusal.ts";
import { missingPermission, type Operation } from "./roles.ts";
import { hostParts, type OpenRoot } from "./roots.ts";
import { isWindowsAbsolute, windowsParts } from "./windows.ts";

/** Links that one path may lead through; Linux sets the same bound. */
export const LINKS_MAX = 40;

/** Names that are looked at on the way through links; each may cost a walk from the root. */
export const LOOKS_MAX = 4_096;

declare const passed: unique symbol;

/**
 * A path that the gate let through. Its names hold no link, no `..` and nothing denied, and it can only be opened
 * beneath the folder of its root, where a name that has become a link since is refused.
 */
export interface ResolvedPath {
  /** The root it lies in. */
  readonly root: OpenRoot;
  /** The names from the root to the file, every link resolved. */
  readonly parts: readonly string[];
  /** The same as text with `/`, as it is shown; empty for the root. */
  readonly shown: string;
  /** What was there when the gate looked, or undefined when nothing was. */
  readonly stat: Stat | undefined;
  readonly [passed]: true;
}

/** What is asked of the gate. */
export interface Request {
  /** The name of a root. */
  readonly root: string;
  /** A path in it, as the model wrote it. */
  readonly path: string;
  /** What is to be done with it. */
  readonly operation: Operation;
  /** Whether a link at the end is meant itself (to move or delete it) and not what it points to. */
  readonly itself?: boolean;
}

/** Decides about every path, and logs each decision. */
export class Gate {
  readonly #roots: ReadonlyMap<string, OpenRoot>;
  readonly #audit: Audit;

  /**
   * @param roots The open roots.
   * @param audit Where decisions are logged.
   */
  constructor(roots: readonly OpenRoot[], audit: Audit) {
    this.#roots = new Map(roots.map((root) => [root.name, root]));
    this.#audit = audit;
  }

  /**
   * Turns a model's text into a path: permission, then confinement, then deny patterns.
   *
   * @throws {Refusal} when a rule refuses; the message names it.
   * @throws {LoomError} `FILE_UNAVAILABLE` when the system will not say what lies on the way.
   */
  resolve(request: Request): ResolvedPath {
    const decision = { root: request.root, operation: request.operation, path: request.path };
    let path: ResolvedPath | SystemError;
    try {
      path = decide(this.#root(request.root), request);
    } catch (error) {
      if (error instanceof Refusal) this.#audit.record({ ...decision, rule: error.rule });
      throw error;
    }
    this.#audit.record(decision);
    if (path instanceof SystemError) throw explained(path, request.path);
    return path;
  }

  #root(name: string): OpenRoot {
    const root = this.#roots.get(name);
    if (root !== undefined) return root;
    throw new Refusal("root", `there is no root of that name: roots are ${[...this.#roots.keys()].join(", ")}`);
  }
}

/** A system error is handed back, not thrown, when every rule has let the path through and only the disk objects. */
function decide(root: OpenRoot, { path: text, operation, itself }: Request): ResolvedPath | SystemError {
  const lacking = missingPermission(root.permissions, operation);
  if (lacking !== undefined) {
    const grants = `root '${root.name}' (role ${root.role}) grants [${root.permissions.join(", ")}]`;
    throw new Refusal("permission", `${grants}, not ${lacking}`);
  }
  const asked = relativeParts(text);
  if (/[^/]\/$/.test(text) && (operation === "write" || operation === "edit")) {
    throw new Refusal("syntax", "path ends in '/', so it names a folder and not a file to write");
  }
  const target = confined(root, asked);
  const place = itself === true ? entryOf(root, asked) : target;
  for (const name of [...asked, ...target.parts, ...place.parts]) {
    const pattern = root.deny.matching(name);
    if (pattern !== undefined) {
      throw new Refusal("pattern", `${quoted(asked.join("/"))} matches deny pattern '${pattern}'`);
    }
  }
  const problem = target.problem ?? place.problem;
  if (problem !== undefined) return problem;
  return { root, parts: place.parts, shown: place.parts.join("/"), stat: place.stat } as unknown as ResolvedPath;
}

interface Place {
  readonly parts: readonly string[];
  readonly stat?: Stat | undefined;
  /** Why the disk would not say more; the names after it are taken as they were spelled. */
  readonly problem?: SystemError;
}

/** Where the entry itself lies: its folder with every link resolved, and its own name as it is. */
function entryOf(root: OpenRoot, asked: readonly string[]): Place {
  const name = asked.at(-1);
  if (name === undefined) throw new Refusal("confinement", "the root itself can be neither moved nor deleted");
  const parent = confined(root, asked.slice(0, -1));
  const parts = [...parent.parts, name];
  if (parent.problem !== undefined) return { parts, problem: parent.problem };
  return { parts, ...peek(root, parts) };
}

function peek(root: OpenRoot, parts: readonly string[]): { stat?: Stat; problem?: SystemError } {
  try {
    return { stat: root.folder.stat(parts) };
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return error.code === "ENOENT" ? {} : { problem: error };
  }
}

/** Most paths hold no link, and one look proves it: a link on the way would have been an error, one at the end shows. */
function confined(root: OpenRoot, asked: readonly string[]): Place {
  const seen = peek(root, asked);
  if (seen.problem === undefined && seen.stat?.kind !== "link") return { parts: asked, ...seen };
  return new LinkWalk(root).follow(asked);
}

/**
 * Follows links name by name without ever looking outside the root. A link that leads out is followed by its spelling
 * alone, so it may come back only through the very path of the root, real or as configured.
 */
class LinkWalk {
  readonly #root: OpenRoot;
  readonly #inside: string[] = [];
  #outside: string[] | undefined;
  #links = 0;
  #looks = 0;

  constructor(root: OpenRoot) {
    this.#root = root;
  }

  follow(asked: readonly string[]): Place {
    const pending = [...asked];
    let end: { problem?: SystemError } | undefined;
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      if (name === "" || name === ".") continue;
      if (this.#outside !== undefined) this.#stepOutside(name);
      else if (name === "..") this.#climb();
      else {
        this.#inside.push(name);
        // Past the end of what is known, names are taken as they are spelled.
        end ??= this.#look(pending);
      }
    }
    if (this.#outside !== undefined) {
      throw new Refusal(
        "confinement",
        `path escapes the root: ${quoted(asked.join("/"))} is or passes a link that leaves`,
      );
    }
    const parts = [...this.#inside];
    return end?.problem !== undefined ? { parts, problem: end.problem } : { parts, ...peek(this.#root, parts) };
  }

  /**
   * Looks at the last name inside; a link is replaced by what it says, put before what is still to come. Undefined when
   * the walk may go on, else why it cannot: nothing is there, or the problem.
   */
  #look(pending: string[]): { problem?: SystemError } | undefined {
    try {
      if (++this.#looks > LOOKS_MAX) throw new SystemError("ELOOP");
      const { kind } = this.#root.folder.stat(this.#inside);
      if (kind !== "link") return undefined;
      if (++this.#links > LINKS_MAX) throw new SystemError("ELOOP");
      this.#take(this.#root.folder.link(this.#inside), pending);
      return undefined;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      return error.code === "ENOENT" ? {} : { problem: error };
    }
  }

  #take(text: string, pending: string[]): void {
    const isWindows = HOST_STYLE === "windows";
    this.#inside.pop();
    if (isWindows ? isWindowsAbsolute(text) : text.startsWith("/")) {
      this.#leave([]);
      pending.unshift(...hostParts(text));
    } else pending.unshift(...(isWindows ? windowsParts(text) : text.split("/")));
  }

  #climb(): void {
    if (this.#inside.pop() === undefined) this.#leave(this.#root.realParts.slice(0, -1));
  }

  #leave(outside: readonly string[]): void {
    this.#inside.length = 0;
    this.#outside = [...outside];
    this.#returnIfHome();
  }

  #stepOutside(name: string): void {
    if (name === "..") this.#outside?.pop();
    else this.#outside?.push(name);
    this.#returnIfHome();
  }

  #returnIfHome(): void {
    const outside = this.#outside;
    const isAt = (home: readonly string[]) => {
      return home.length === outside?.length && home.every((name, index) => name === outside[index]);
    };
    if (isAt(this.#root.realParts) || isAt(this.#root.spelledParts)) this.#outside = undefined;
  }
}
