/** XML as a tree with source positions; anything that isn't well formed is refused. @module */

import { Parser } from "htmlparser2";

/** Elements inside elements. */
export const XML_DEPTH_MAX = 100;

/** One element and where it stands in the source. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: XmlElement[];
  /** Its own text, without that of its children. */
  text: string;
  readonly from: number;
  /** After its closing tag. */
  to: number;
}

/** The root element of a text, or the code of why it isn't well-formed XML. */
export function parseXml(text: string): XmlElement | string {
  try {
    const root = new TreeReader(text).root();
    // The parser closes what is left open; XML doesn't.
    return allClosed(text, root) ? root : "tags-open";
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

/** What is wrong with an XML text, as a code; thrown, since the parser runs to the end of its text otherwise. */
class Fault extends Error {}

class TreeReader {
  readonly #roots: XmlElement[] = [];
  readonly #open: XmlElement[] = [];
  #attributes = new Map<string, string>();

  constructor(text: string) {
    const parser = new Parser({
      onattribute: (name, value, quote) => this.#addAttribute(name, value, quote),
      onopentag: (name) => this.#openElement(name, parser.startIndex),
      ontext: (data) => this.#addText(data),
      onclosetag: (name) => this.#closeElement(name, parser.endIndex + 1),
    }, { xmlMode: true, decodeEntities: true });
    parser.end(text);
  }

  root(): XmlElement {
    const [root] = this.#roots;
    if (root === undefined) throw new Fault("no-root");
    return root;
  }

  #addAttribute(name: string, value: string, quote: string | undefined | null): void {
    if (this.#attributes.has(name)) throw new Fault("attribute-twice");
    if (quote === undefined || quote === null) throw new Fault("attribute-unquoted");
    this.#attributes.set(name, value);
  }

  #openElement(name: string, from: number): void {
    if (this.#open.length >= XML_DEPTH_MAX) throw new Fault("too-deep");
    const element = { name, attributes: this.#attributes, children: [], text: "", from, to: from };
    const parent = this.#open.at(-1);
    if (parent === undefined && this.#roots.length > 0) throw new Fault("several-roots");
    (parent?.children ?? this.#roots).push(element);
    this.#open.push(element);
    this.#attributes = new Map();
  }

  #addText(data: string): void {
    const element = this.#open.at(-1);
    if (element !== undefined) element.text += data;
    else if (data.trim() !== "") throw new Fault("text-outside-root");
  }

  #closeElement(name: string, to: number): void {
    const element = this.#open.pop();
    if (element?.name !== name) throw new Fault("tags-crossed");
    element.to = to;
  }
}

// Every element ends in its own closing tag or in `/>`.
function allClosed(text: string, root: XmlElement): boolean {
  const rest = [root];
  for (let element = rest.pop(); element !== undefined; element = rest.pop()) {
    const end = text.slice(Math.max(element.from, element.to - element.name.length - 20), element.to);
    if (!end.endsWith("/>") && !end.trimEnd().replace(/\s*>$/, ">").endsWith(`</${element.name}>`)) return false;
    for (const child of element.children) rest.push(child);
  }
  return true;
}
