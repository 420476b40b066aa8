/** A control: a driver that syncs nothing and says that it does (`synchronous=OFF`, told as FULL). */
import { DatabaseSync, StatementSync } from "node:sqlite";

DatabaseSync.prototype.exec = new Proxy(DatabaseSync.prototype.exec, {
  apply: (exec, database: DatabaseSync, [sql]: [string]) =>
    Reflect.apply(exec, database, [sql.replace(/synchronous\s*=\s*\w+/i, "synchronous = OFF")]),
});
StatementSync.prototype.get = new Proxy(StatementSync.prototype.get, {
  apply: (get, statement: StatementSync, values) =>
    /PRAGMA synchronous/i.test(statement.sourceSQL)
      ? { synchronous: 2 }
      : Reflect.apply(get, statement, values),
});
