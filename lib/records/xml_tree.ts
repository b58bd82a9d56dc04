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
  const roots: XmlElement[] = [];
  const open: XmlElement[] = [];
  let fault: string | undefined;
  let attributes = new Map<string, string>();
  const parser = new Parser({
    onattribute(name, value, quote) {
      if (attributes.has(name)) fault ??= "attribute-twice";
      if (quote === undefined || quote === null) fault ??= "attribute-unquoted";
      attributes.set(name, value);
    },
    onopentag(name) {
      if (open.length >= XML_DEPTH_MAX) fault ??= "too-deep";
      const element = { name, attributes, children: [], text: "", from: parser.startIndex, to: parser.startIndex };
      (open.at(-1)?.children ?? roots).push(element);
      if (fault === undefined) open.push(element);
      attributes = new Map();
    },
    ontext(data) {
      const element = open.at(-1);
      if (element !== undefined) element.text += data;
      else if (data.trim() !== "") fault ??= "text-outside-root";
    },
    onclosetag(name) {
      const element = open.pop();
      if (element?.name !== name) fault ??= "tags-crossed";
      if (element !== undefined) element.to = parser.endIndex + 1;
    },
  }, { xmlMode: true, decodeEntities: true });
  parser.end(text);
  const [root] = roots;
  if (root === undefined || roots.length > 1) return fault ?? "roots";
  // The parser closes what is left open; XML doesn't.
  return fault ?? (allClosed(text, root) ? root : "tags-open");
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
