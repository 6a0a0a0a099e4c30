import {
  DEMO_REQUEST_SOURCE,
  HEADCOUNTS,
  LEAD_TRACKERS,
  leadReceived,
  leadRequest,
} from '@winnow/contract/lead';
import { AccessForm } from '../../access/access-form.tsx';
import { type Failure, reportableSentenceOf } from '../../access/failure.ts';
import { useAccessForm } from '../../access/use-access-form.ts';
import { loadSession } from '../../session/visitor.ts';
import { CheckboxGroup, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import classes from './page.module.css';

const headcounts = optionsOf(HEADCOUNTS);
const trackers = optionsOf(LEAD_TRACKERS);
const entered = leadRequest.omit({ source: true });

function failureOf(error: unknown): Failure {
  return { title: 'Your request was not sent.', detail: reportableSentenceOf(error) };
}

/** The form that requests a demo. Calls `onReceived` after the server has accepted the request. */
export function DemoForm({ onReceived }: { onReceived: () => void }) {
  const form = useAccessForm({
    schema: entered,
    lists: ['trackers'],
    once: true,
    send: async (values) => {
      const { publicApi } = await loadSession();
      const body = { ...values, source: DEMO_REQUEST_SOURCE };
      await publicApi('POST', '/leads', { body, schema: leadReceived });
      onReceived();
    },
  });
  return (
    <AccessForm form={form} action="Request Demo" failureOf={failureOf}>
      <div className={classes.pair}>
        <TextField label="Full Name" name="name" required autoComplete="name" error={form.errors.name} />
        <TextField
          label="Work Email"
          name="email"
          type="email"
          required
          autoComplete="work email"
          error={form.errors.email}
        />
        <TextField
          label="Role"
          name="role"
          required
          autoComplete="organization-title"
          error={form.errors.role}
        />
        <TextField
          label="Organization"
          name="org"
          required
          autoComplete="organization"
          error={form.errors.org}
        />
      </div>
      <SelectField
        label="Headcount"
        name="headcount"
        required
        options={headcounts}
        error={form.errors.headcount}
      />
      <CheckboxGroup label="Trackers Used" name="trackers" options={trackers} />
      <TextArea label="Additional Comments" name="comments" hint="Optional" error={form.errors.comments} />
    </AccessForm>
  );
}

/**
 * Returns the options of a select field. The keys of `set` are the values to send, the values of
 * `set` are the labels.
 */
function optionsOf(set: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(set).map(([value, label]) => ({ value, label }));
}
