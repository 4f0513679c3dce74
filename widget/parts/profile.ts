import { html, nothing, type TemplateResult } from 'lit';
import type { Profile, Sex } from '../../src/index.js';
import { fieldText, type ScreenState, type View } from '../view.js';

const YEARS_MOST = 130;
const MONTHS_MOST = 36;
const AGE = /^(\d+(?:[.,]\d+)?)\s*(岁|周岁|years?|yrs?|y|个月|月|months?|mo|m|个?星期|周|weeks?|wks?|w|天|日|days?|d)?$/u;
/** Units behind an age that are shorter than a year, by how many make one. */
const IN_A_YEAR: readonly (readonly [unit: RegExp, count: number])[] = [
  [/^(?:个月|月|mo|m$)/u, 12],
  [/^(?:个?星期|周$|w)/u, 365 / 7],
  [/^(?:天|日|d)/u, 365],
];

/** Reads an age as typed: full-width digits, a decimal comma and a unit behind the number are fine. */
export function readAge(text: string, unit: 'years' | 'months'): number | NonNullable<ScreenState['ageError']> {
  const typed = text.normalize('NFKC').trim().toLowerCase();
  if (typed === '') return 'ageMissing';
  const match = AGE.exec(typed);
  if (match === null) return 'ageNotNumber';
  const value = Number((match[1] ?? '').replace(',', '.'));
  const written = match[2] ?? (unit === 'months' ? 'm' : 'y');
  const perYear = IN_A_YEAR.find(([form]) => form.test(written))?.[1];
  if (perYear !== undefined) return value / perYear <= MONTHS_MOST / 12 ? value / perYear : 'ageMonthsRange';
  return value <= YEARS_MOST ? value : 'ageYearsRange';
}

/** Age, sex and for whom. */
export function renderProfile(view: View): TemplateResult {
  const { t, screen, controller } = view;
  const profile = controller.state?.profile ?? null;
  const years = profile?.ageYears ?? null;
  const inMonths = years !== null && years < 3;
  const age = years === null ? '' : String(inMonths ? Math.round(years * 120) / 10 : years);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const read = readProfile(event.target as HTMLFormElement, screen);
    if (read === null) view.focusOn(screen.ageError === null ? 'sex' : 'age');
    else {
      screen.isEditingProfile = false;
      view.focusOn('screen');
      void controller.setProfile(read);
    }
    view.refresh();
  };
  const forWhom = (isForOther: boolean): void => {
    screen.isForOther = isForOther;
    view.refresh();
  };
  const sexCard = (sex: Sex): TemplateResult => html`<label class="choice compact"
    ><input type="radio" name="sex" value=${sex} data-focus=${sex === 'female' ? 'sex' : nothing} ?checked=${profile?.sex === sex} aria-describedby="sex-hint ${screen.sexError ? 'sex-error' : ''}" /><span>${t[sex]}</span></label
  >`;
  return html`<form class="stack loose" part="profile" novalidate @submit=${submit}>
    <h2 tabindex="-1" data-focus="screen">${t.profileTitle}</h2>
    <fieldset class="segments">
      <legend class="unseen">${t.profileTitle}</legend>
      ${[false, true].map(
        (isOther) => html`<label class="choice compact"><input type="radio" name="whom" value=${isOther ? 'other' : 'me'} ?checked=${screen.isForOther === isOther} @change=${() => forWhom(isOther)} /><span>${isOther ? t.forOther : t.forMe}</span></label>`,
      )}
    </fieldset>
    ${screen.isForOther ? html`<p class="hint">${t.forOtherHint}</p>` : nothing}
    <div class="field">
      <label for="age">${t.age}</label>
      <div class="joined">
        <input id="age" class="input short" name="age" type="text" inputmode="decimal" autocomplete="off" maxlength="12" data-focus="age" .defaultValue=${age} aria-invalid=${screen.ageError === null ? 'false' : 'true'} aria-describedby="age-error" />
        <fieldset class="segments small">
          <legend class="unseen">${t.ageUnit}</legend>
          <label class="choice compact"><input type="radio" name="unit" value="years" ?checked=${!inMonths} /><span>${t.years}</span></label>
          <label class="choice compact"><input type="radio" name="unit" value="months" ?checked=${inMonths} /><span>${t.months}</span></label>
        </fieldset>
      </div>
      <p class="error" id="age-error">${screen.ageError === null ? nothing : t[screen.ageError]}</p>
    </div>
    <fieldset class="field bare">
      <legend>${t.sex}</legend>
      <div class="segments">${sexCard('female')} ${sexCard('male')}</div>
      <p class="hint" id="sex-hint">${t.sexHint}</p>
      ${screen.sexError ? html`<p class="error" id="sex-error">${t.sexMissing}</p>` : nothing}
    </fieldset>
    <button class="button primary wide" part="button primary-button" type="submit">${t.next}</button>
  </form>`;
}

function readProfile(form: HTMLFormElement, screen: ScreenState): Profile | null {
  const age = readAge(fieldText(form, 'age'), fieldText(form, 'unit') === 'months' ? 'months' : 'years');
  const sex = fieldText(form, 'sex');
  screen.ageError = typeof age === 'number' ? null : age;
  screen.sexError = sex !== 'female' && sex !== 'male';
  return typeof age === 'number' && (sex === 'female' || sex === 'male') ? { ageYears: age, sex } : null;
}

/** Who this is for, with the way to change it. */
export function renderProfileLine(view: View): TemplateResult | typeof nothing {
  const { t, controller } = view;
  const profile = controller.state?.profile;
  if (profile === null || profile === undefined) return nothing;
  return html`<p class="profile-line"><span>${t.profileLine(profile.sex, profile.ageYears)}</span>${renderChange(view, t.profileLine(profile.sex, profile.ageYears))}</p>`;
}

/** Opens the form for age and sex. */
export function renderChange(view: View, what: string): TemplateResult {
  const { t, screen } = view;
  const change = (): void => {
    screen.isEditingProfile = true;
    view.focusOn('screen');
    view.refresh();
  };
  return html`<button class="link" part="button" type="button" @click=${change} aria-label=${t.changeOf(what)}>${t.change}</button>`;
}
