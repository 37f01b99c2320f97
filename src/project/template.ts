/** Fills the templates of a project's files. A place is written as `@@name@@`, which none of their syntaxes uses. */

/** Texts by the names of their places, already escaped. */
export type TemplateValues = Readonly<Record<string, string>>;

/**
 * Returns a template with its values. Values are not read for places again.
 * @throws {Error} if a place has no value
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(/@@([\w ]+)@@/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A template names "${name}", which has no value`);
    return value;
  });
}
