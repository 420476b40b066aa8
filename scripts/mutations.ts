/**
 * One caller of mutations: `src/runtime/intend.ts`. Everywhere else in production code a provider's mutating method
 * may not even be read (`const { create } = provider` is as good as a call). Decided by types, not by names, so a
 * Map's `create` is free and a class that implements Provider is not.
 *
 * The kit of `asfound/testing` and tests drive providers too; they are not production code.
 */
import { existsSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const PORT = "src/ports/provider.ts";
const CALLER = "src/runtime/intend.ts";
const MUTATING: ReadonlySet<string> = new Set(["create", "update", "destroy", "compensate", "owed"]);
const EXEMPT = /\.test\.ts$|^src\/testing(\.ts$|\/)/;

export interface Mutations {
  /** `file:line: method`, in the one caller. */
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
  /** Why this looked at nothing; null when it did look. */
  readonly inert: string | null;
}

/** Every place under `root`/src that reads a mutating method of a Provider. */
export function mutations(root: string): Mutations {
  if (!existsSync(`${root}/${PORT}`)) return { allowed: [], forbidden: [], inert: `${PORT} does not exist` };
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(fileNames, options);
  const checker = program.getTypeChecker();
  const provider = providerType(program, checker, `${root}/${PORT}`);

  const isProvider = (type: ts.Type): boolean => {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Never | ts.TypeFlags.Unknown)) return false;
    const parts = type.isUnion() ? type.types : [checker.getApparentType(type)];
    return parts.some(
      (part) =>
        !(part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) &&
        checker.isTypeAssignableTo(part, provider),
    );
  };
  // `Pick<Provider, "create">` is no Provider, yet its `create` is the very same method.
  const isOfThePort = (symbol: ts.Symbol | undefined): boolean =>
    symbol?.declarations?.some(
      (declaration) =>
        declaration.getSourceFile().fileName.endsWith(`/${PORT}`) &&
        ts.isInterfaceDeclaration(declaration.parent) &&
        declaration.parent.name.text === "Provider",
    ) ?? false;

  /** The mutating methods that `node` reads from a provider. */
  const reads = (node: ts.Node): readonly string[] => {
    if (ts.isPropertyAccessExpression(node)) return of(node.expression, [node.name.text]);
    if (ts.isElementAccessExpression(node))
      return of(node.expression, literals(checker, node.argumentExpression));
    if (ts.isObjectBindingPattern(node)) {
      const type = checker.getTypeAtLocation(node);
      return node.elements.map(boundName).filter((name) => MUTATING.has(name) && isMutator(type, name));
    }
    return [];
  };
  const of = (expression: ts.Expression, names: readonly string[]): readonly string[] => {
    const wanted = names.filter((name) => MUTATING.has(name));
    if (wanted.length === 0) return [];
    const type = checker.getTypeAtLocation(expression);
    return wanted.filter((name) => isMutator(type, name));
  };
  const isMutator = (type: ts.Type, name: string): boolean => {
    const present = checker.getNonNullableType(type);
    return isProvider(present) || isOfThePort(checker.getPropertyOfType(present, name));
  };

  const allowed: string[] = [];
  const forbidden: string[] = [];
  for (const file of program.getSourceFiles()) {
    const name = relative(root, file.fileName);
    if (!name.startsWith("src/") || EXEMPT.test(name)) continue;
    const visit = (node: ts.Node): void => {
      for (const method of reads(node)) {
        const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
        (name === CALLER ? allowed : forbidden).push(`${name}:${line}: ${method}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { allowed, forbidden, inert: null };
}

function providerType(program: ts.Program, checker: ts.TypeChecker, port: string): ts.Type {
  const file = program.getSourceFile(port);
  const declaration = file?.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === "Provider",
  );
  if (declaration === undefined) throw new Error(`${PORT} declares no interface Provider`);
  return checker.getTypeAtLocation(declaration);
}

/** The strings that an index expression can be: `provider[action]` reads whatever `action` may be. */
function literals(checker: ts.TypeChecker, index: ts.Expression): readonly string[] {
  const type = checker.getTypeAtLocation(index);
  const parts = type.isUnion() ? type.types : [checker.getBaseConstraintOfType(type) ?? type];
  return parts
    .flatMap((part) => (part.isUnion() ? part.types : [part]))
    .flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
}

function boundName({ propertyName, name }: ts.BindingElement): string {
  const bound = propertyName ?? name;
  return ts.isIdentifier(bound) || ts.isStringLiteral(bound) ? bound.text : "";
}

if (import.meta.main) {
  const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
  const { allowed, forbidden, inert } = mutations(root);
  for (const line of forbidden) console.log(`${line} is read outside ${CALLER}`);
  console.log(inert ?? `${allowed.length} mutating calls in ${CALLER}, ${forbidden.length} elsewhere`);
  const blind = existsSync(`${root}/${CALLER}`) && allowed.length === 0;
  if (blind) console.log(`${CALLER} exists and no mutating call was found in it: this check is blind.`);
  if (forbidden.length > 0 || blind) process.exitCode = 1;
}
