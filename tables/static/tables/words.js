// The sentences of scripts in the language of the page. The English stands where it is used; for another language the page
// loads its catalogue before, Django's own script.

// The back office has a `django` of its own, without sentences.
const django = globalThis.django?.gettext ? globalThis.django : null;
const filled = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);

export const gettext = (sentence, values = {}) => filled(django ? django.gettext(sentence) : sentence, values);
export const ngettext = (one, many, count, values = {}) =>
  filled(django ? django.ngettext(one, many, count) : count === 1 ? one : many, { count, ...values });

// The mark before the decimals of an amount.
export const POINT = django ? django.get_format("DECIMAL_SEPARATOR") : ".";
