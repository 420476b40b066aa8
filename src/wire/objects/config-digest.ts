/** C3, where the wire's readers look for it. */
export * from "../../domain/config-digest.ts";
