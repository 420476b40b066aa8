/** Changes a ledger's file behind the driver's back. */
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";

/**
 * Runs `sql`. `resealed`: all sums are then made to agree again, as somebody would who knows the format
 * (`0001-ledger.sql`), so that what is found is found by other means.
 */
export const tamper = (path: string, sql: string, how: "plain" | "resealed" = "plain"): void => {
  const db = new DatabaseSync(path);
  try {
    db.exec(sql);
    if (how === "resealed") reseal(db);
  } finally {
    db.close();
  }
};

const reseal = (db: DatabaseSync): void => {
  db.function("sum_of", { varargs: true }, (...fields) => {
    const text = fields.map((field) => (field === null ? "" : String(field))).join("\0");
    return createHash("sha256").update(text).digest().readUInt32BE();
  });
  const total = (table: string) =>
    `(SELECT coalesce(sum(sum), 0) % 4294967296 FROM ${table} WHERE stack = stack.number)`;
  const count = (table: string) => `(SELECT count(*) FROM ${table} WHERE stack = stack.number)`;
  db.exec(`
    UPDATE ledger SET sum = sum_of(id);
    UPDATE step SET sum = sum_of(stack, name, state);
    UPDATE operation SET sum = sum_of(stack, id, body);
    UPDATE stack SET steps = ${count("step")}, step_sum = ${total("step")},
      operations = ${count("operation")}, operation_sum = ${total("operation")};
    UPDATE stack SET sum = sum_of(number, name, id, seq, hash, folded, epoch, lease,
      steps, step_sum, operations, operation_sum);`);
};
