/** Types for the part of the npm package datapackage that tests use; it has none. */
declare module 'datapackage' {
  export interface Resource {
    name: string;
    tabular: boolean;
    read(options: { relations: boolean }): Promise<unknown[][]>;
  }
  export class Package {
    static load(descriptor: string, options: { strict: boolean }): Promise<Package>;
    valid: boolean;
    errors: Error[];
    resources: Resource[];
  }
}
