/** repo-git keeps the contract: loose objects and packs, SHA-1 and SHA-256, a bare clone. */
import { afterEach } from "vitest";
import { openRepository } from "../../src/adapters/repo-git/open.ts";
import type { Repository } from "../../src/ports/repository.ts";
import { cloneOf, gitEnvironmentOfTests, type MadeRepository, madeRepository } from "../support/git.ts";
import { type Opened, repositoryContract } from "./repository.ts";

const opened: Repository[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

const opening = (made: MadeRepository, folder: () => string = () => made.folder): Opened => ({
  made,
  open: async () => {
    const repository = await openRepository({
      folder: folder(),
      named: "clone",
      environment: gitEnvironmentOfTests(),
    });
    if ("fault" in repository) throw new Error(repository.fault);
    opened.push(repository);
    return repository;
  },
});

repositoryContract("loose objects", () => opening(madeRepository()));
repositoryContract("SHA-256", () => opening(madeRepository("sha256")));
repositoryContract("a pack with a commit-graph", () => {
  const made = madeRepository();
  return opening(made, () => {
    made.git("gc", "-q");
    made.git("commit-graph", "write", "--reachable");
    return made.folder;
  });
});
repositoryContract("a bare clone", () => {
  const made = madeRepository();
  return opening(made, () => cloneOf(made, "--mirror").folder);
});
