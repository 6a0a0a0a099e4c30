import { Picture } from '../../ui/picture.tsx';
import { Section, SectionHead } from '../../ui/section.tsx';

/** Introduces clusters, which need one decision for all reports of one problem. */
export function Clusters() {
  return (
    <Section>
      <SectionHead
        title="One decision for all reports of a problem"
        lead="Issues that probably report the same problem form a cluster, across projects and trackers. Winnow proposes the issue to keep, with reasons, and quotes what each other issue adds. One change closes the rest as duplicates, with one preview, one approval and one undo."
      />
      <Picture
        src="/images/ui_05.png"
        alt="A list of clusters, and one cluster with the issue to keep, its graph, and what each other issue adds."
      />
    </Section>
  );
}
