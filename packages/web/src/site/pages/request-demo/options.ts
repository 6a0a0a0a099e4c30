/** Returns the options of a select field: keys are the values to send, values are the labels. */
export function optionsOf(set: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(set).map(([value, label]) => ({ value, label }));
}
