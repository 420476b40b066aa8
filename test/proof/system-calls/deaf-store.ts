/** A control: SQLite's errors at COMMIT are not heard, so that a record counts as durable that is not there. */
import { DatabaseSync, StatementSync } from "node:sqlite";

const deaf = <T>(sql: string, work: () => T): T | undefined => {
  try {
    return work();
  } catch (error) {
    if (/^COMMIT\b/i.test(sql)) return undefined;
    throw error;
  }
};

StatementSync.prototype.run = new Proxy(StatementSync.prototype.run, {
  apply: (run, statement: StatementSync, values) =>
    deaf(statement.sourceSQL, () => Reflect.apply(run, statement, values)),
});
DatabaseSync.prototype.exec = new Proxy(DatabaseSync.prototype.exec, {
  apply: (exec, database: DatabaseSync, [sql]: [string]) =>
    deaf(sql, () => Reflect.apply(exec, database, [sql])),
});
