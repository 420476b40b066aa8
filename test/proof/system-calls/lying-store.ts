/** A control: a driver that syncs less than it says, nothing unless its URL names another mode (`?NORMAL`). */
import { DatabaseSync, StatementSync } from "node:sqlite";

const mode = new URL(import.meta.url).search.slice(1) || "OFF";

DatabaseSync.prototype.exec = new Proxy(DatabaseSync.prototype.exec, {
  apply: (exec, database: DatabaseSync, [sql]: [string]) =>
    Reflect.apply(exec, database, [sql.replace(/synchronous\s*=\s*\w+/i, `synchronous = ${mode}`)]),
});
StatementSync.prototype.get = new Proxy(StatementSync.prototype.get, {
  apply: (get, statement: StatementSync, values) =>
    /PRAGMA synchronous/i.test(statement.sourceSQL)
      ? { synchronous: 2 }
      : Reflect.apply(get, statement, values),
});
