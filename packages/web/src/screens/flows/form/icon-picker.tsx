import { IconUpload } from '@tabler/icons-react';
import { FLOW_ICONS } from '@winnow/contract/flow';
import { type ReactNode, useId, useState } from 'react';
import { FlowIcon, ICONS } from '../flow-icon.tsx';
import classes from './icon-picker.module.css';
import { PICTURE_TYPES, PictureError, pictureAddress } from './shrink-picture.ts';

export type IconPickerProps = {
  value: string;
  onChange: (icon: string) => void;
  error?: ReactNode;
};

/** Field that selects the icon of a flow: a built-in icon or an uploaded picture. */
export function IconPicker({ value, onChange, error }: IconPickerProps) {
  const name = useId();
  const [refusal, setRefusal] = useState<string | null>(null);
  const drawn = FLOW_ICONS.map((icon) => ({ icon: icon as string, label: ICONS[icon].label }));
  const isUploaded = !drawn.some(({ icon }) => icon === value);
  const choices = isUploaded ? [...drawn, { icon: value, label: 'Your picture' }] : drawn;

  async function upload(file: File): Promise<void> {
    try {
      onChange(await pictureAddress(file));
      setRefusal(null);
    } catch (failure) {
      setRefusal(failure instanceof PictureError ? failure.message : 'The picture could not be used.');
    }
  }

  return (
    <fieldset className={classes.picker}>
      <legend className={classes.legend}>Icon</legend>
      <div className={classes.tiles}>
        {choices.map(({ icon, label }) => (
          <label className={classes.tile} key={icon} title={label}>
            <input
              className="vh"
              type="radio"
              name={name}
              aria-label={label}
              checked={icon === value}
              onChange={() => onChange(icon)}
            />
            <FlowIcon icon={icon} />
          </label>
        ))}
        <label className={classes.tile} title="Upload a picture">
          <input
            className="vh"
            type="file"
            aria-label="Upload a picture"
            accept={PICTURE_TYPES.join(',')}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              // Reset the file input, so that the user can select the same file again.
              if (file !== undefined) void upload(file).finally(() => (currentTarget.value = ''));
            }}
          />
          <IconUpload size={20} stroke={1.75} aria-hidden />
        </label>
      </div>
      <p className={classes.note}>PNG or WebP. Large images are resized.</p>
      <div aria-live="polite" className={classes.error}>
        {refusal ?? error}
      </div>
    </fieldset>
  );
}
