import { Section, SectionHead } from '../../ui/section.tsx';
import classes from './benchmark.module.css';

/**
 * Percentage of 66 duplicate Apache Hadoop reports whose original was found, per method. The README
 * describes the measurement.
 */
const RESULTS = [
  { how: 'BM25 over the raw text', first: 53, ten: 77, twenty: 82 },
  { how: 'Words only, compared by Winnow', first: 59, ten: 92, twenty: 94 },
  { how: 'Meaning only (MiniLM)', first: 58, ten: 85, twenty: 91 },
  { how: 'Winnow', first: 71, ten: 92, twenty: 95 },
];

/** Benchmark results: the share of duplicate reports whose original was found. */
export function Benchmark() {
  return (
    <Section>
      <SectionHead
        title="Measured on 2,503 real reports"
        lead="Apache Hadoop’s reports with labeled duplicates: 66 reports repeat an earlier one. The table shows how often the earlier report ranked among the most similar."
      />
      <div className={classes.frame}>
        <table>
          <thead>
            <tr>
              <th scope="col">Compared by</th>
              <th scope="col">At rank 1</th>
              <th scope="col">Within 10</th>
              <th scope="col">Within 20</th>
            </tr>
          </thead>
          <tbody>
            {RESULTS.map(({ how, first, ten, twenty }) => (
              <tr key={how} className={how === 'Winnow' ? classes.ours : undefined}>
                <th scope="row">{how}</th>
                <td>{first}%</td>
                <td>{ten}%</td>
                <td>{twenty}%</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={classes.note}>
        One query is 1.5%. The confidence interval of the first column is ±12%. The reports are those of{' '}
        <a className="link" href="https://arxiv.org/abs/2504.09651" target="_blank" rel="noopener noreferrer">
          GitBugs
        </a>{' '}
        (CC BY 4.0), and the measurement can be repeated with Winnow’s own benchmark.
      </p>
    </Section>
  );
}
