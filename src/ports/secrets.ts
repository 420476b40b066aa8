/** Where `${secret.env.NAME}` and `${secret.file.PATH}` are read. A fault is one sentence that never holds a value. */
export interface Secrets {
  env(name: string): { readonly value: string } | { readonly fault: string };
  /** UTF-8, one trailing newline removed; relative to the stack file's folder. At most 1 MiB. */
  file(path: string): Promise<{ readonly value: string } | { readonly fault: string }>;
}
