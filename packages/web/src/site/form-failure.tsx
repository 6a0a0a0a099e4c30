import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

/** Why a form was not accepted, above its fields. */
export function FormFailure({ title, detail }: { title: string; detail: string | null }) {
  return (
    <Alert
      color="danger"
      role="alert"
      mb="md"
      icon={<IconAlertTriangle size={16} aria-hidden />}
      {...(detail === null ? {} : { title })}
    >
      {detail ?? title}
    </Alert>
  );
}
