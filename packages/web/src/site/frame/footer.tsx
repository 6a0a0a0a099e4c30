import { IconBrandInstagram, IconBrandLinkedin } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Logo } from '../../theme/parts/logo.tsx';
import { BRAND } from '../content/brand.ts';
import classes from './footer.module.css';
import { ThemeChoice } from './theme-choice.tsx';

const SOCIAL_ICONS = { LinkedIn: IconBrandLinkedin, Instagram: IconBrandInstagram } as const;

/** The footer of every public page. */
export function Footer() {
  return (
    <footer className={classes.footer}>
      <div className={classes.inside}>
        <div className={classes.columns}>
          <div>
            <p className={classes.company}>
              <Logo size={20} /> {BRAND.company}
            </p>
            <address className={classes.address}>
              {BRAND.address.map((line) => (
                <span key={line}>{line}</span>
              ))}
            </address>
          </div>
          <nav aria-label="Product">
            <h2>Product</h2>
            <Link href="/docs">API Documentation</Link>
            <a href="/whatis-mcp" target="_blank" rel="noopener">
              What is MCP?
            </a>
          </nav>
          <nav aria-label="Account">
            <h2>Account</h2>
            <Link href="/register">Register</Link>
            <Link href="/login">Sign in</Link>
          </nav>
          <nav aria-label="Legal">
            <h2>Legal</h2>
            <Link href="/privacy">Privacy Policy</Link>
            <Link href="/terms">Terms of Service</Link>
          </nav>
        </div>
        <div className={classes.end}>
          <p>
            © {BRAND.copyrightYear} {BRAND.company}
          </p>
          <ThemeChoice />
          <ul className={classes.social}>
            {BRAND.social.map(({ name, url }) => {
              const Icon = SOCIAL_ICONS[name];
              return (
                <li key={name}>
                  <a
                    href={url}
                    target="_blank"
                    rel="noopener noreferrer"
                    aria-label={`${BRAND.name} on ${name}`}
                  >
                    <Icon size={20} aria-hidden />
                  </a>
                </li>
              );
            })}
          </ul>
        </div>
      </div>
    </footer>
  );
}
