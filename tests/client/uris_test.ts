import { deepEqual, equal } from "node:assert/strict";
import { UriTable } from "../../lib/client/uris.ts";
import { verifies } from "../support/verifies.ts";

verifies("NAME-11", "UriTable.claim() leaves a URI to the first server and gives the next one an alias", () => {
  const uris = new UriTable();
  equal(uris.claim("a", "file:///x"), "file:///x");
  equal(uris.claim("b", "file:///x"), "loom://b/file:///x");
  equal(uris.claim("a", "file:///x"), "file:///x");
  equal(uris.exposed("b", "file:///x"), "loom://b/file:///x");
  equal(uris.exposed("b", "file:///y"), "file:///y");
});

verifies("NAME-11", "UriTable.candidates() understands the alias of every server that there is", () => {
  const uris = new UriTable();
  deepEqual(uris.candidates("loom://b/file:///x?y#z", ["a", "b"]), [{ server: "b", uri: "file:///x?y#z" }]);
  equal(uris.candidates("loom://c/file:///x", ["a", "b"]).length, 2);
});

verifies("RELAY-11", "UriTable.candidates() ranks owner, link, template, likeness, then the rest", () => {
  const uris = new UriTable();
  const order = (uri: string) => uris.candidates(uri, ["a", "b", "c", "d"]).map(({ server }) => server);
  deepEqual(order("x://1"), ["a", "b", "c", "d"]);
  uris.claim("d", "x://2");
  deepEqual(order("x://1"), ["a", "b", "c", "d"]);
  uris.claim("d", "x://host/2");
  deepEqual(order("x://host/1"), ["d", "a", "b", "c"]);
  uris.claim("c", "x://host/{id}");
  deepEqual(order("x://host/1"), ["c", "d", "a", "b"]);
  uris.mention("b", "x://host/1");
  deepEqual(order("x://host/1"), ["b", "c", "d", "a"]);
  uris.claim("a", "x://host/1");
  deepEqual(order("x://host/1"), ["a"]);
});
