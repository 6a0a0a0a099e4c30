/** A closed set as the options of a field: its names are sent, its labels are shown, in its order. */
export function optionsOf(set: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(set).map(([value, label]) => ({ value, label }));
}
