/** Engine types as SQL text, and where a type would mislead. @module */

import {
  DuckDBArrayType,
  DuckDBEnumType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
  DuckDBUnionType,
} from "@duckdb/node-api";
import { quoteIdentifier, quoteLiteral } from "./sql.ts";

/** The type as SQL names it: `DECIMAL(18,2)`, `STRUCT("a" BIGINT)[]`, `JSON`. */
export function typeSql(type: DuckDBType): string {
  // JSON is text that carries this alias; every other alias is the name of the type itself.
  if (type.typeId === DuckDBTypeId.VARCHAR) return type.alias === "JSON" ? "JSON" : "VARCHAR";
  if (type instanceof DuckDBListType) return `${typeSql(type.valueType)}[]`;
  if (type instanceof DuckDBArrayType) return `${typeSql(type.valueType)}[${type.length}]`;
  if (type instanceof DuckDBMapType) return `MAP(${typeSql(type.keyType)}, ${typeSql(type.valueType)})`;
  if (type instanceof DuckDBStructType) return `STRUCT(${members(type.entryNames, type.entryTypes)})`;
  if (type instanceof DuckDBUnionType) return `UNION(${members(type.memberTags, type.memberTypes)})`;
  if (type instanceof DuckDBEnumType) return `ENUM(${type.values.map(quoteLiteral).join(", ")})`;
  if (type.typeId === DuckDBTypeId.SQLNULL) return "VARCHAR";
  return type.toString();
}

function members(names: readonly string[], types: readonly DuckDBType[]): string {
  // row(1, 'a') has members without names.
  if (names.every((name) => name === "")) return types.map((type, i) => `v${i + 1} ${typeSql(type)}`).join(", ");
  return types.map((type, i) => `${quoteIdentifier(names[i] ?? "")} ${typeSql(type)}`).join(", ");
}
