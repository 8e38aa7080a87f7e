// The page of the provider. Plain HTML that needs no script, and that says what it is.

export const identifyPage = (): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Who are you? – Paraph sandbox</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff }
  .note { border-left: .25rem solid #b35900; padding: .5rem 1rem; background: #fff4e5 }
  label { display: block; margin: 1rem 0 .25rem } input { font: inherit; width: 100%; box-sizing: border-box; padding: .6rem; border: 1px solid #555 }
  button { font: inherit; min-height: 44px; padding: 0 1.25rem; margin: 1rem .5rem 0 0; border: 1px solid #1a1a1a; background: #fff }
  button[value=accept] { background: #14532d; color: #fff }
</style>
<main>
<h1>Who are you?</h1>
<p class="note">A provider of identification for trying out. Nobody is identified here: you are whoever you say.</p>
<form method="post">
<label for="given_name">First names, as in your passport</label>
<input id="given_name" name="given_name" required maxlength="200" autocomplete="given-name">
<label for="family_name">Last name</label>
<input id="family_name" name="family_name" required maxlength="200" autocomplete="family-name">
<label for="country">Country of the passport, two letters</label>
<input id="country" name="country" required maxlength="2" value="CH" autocomplete="country">
<button name="answer" value="accept">Identify me</button>
<button name="answer" value="pending">Identify me, but take your time</button>
<button name="answer" value="refuse" formnovalidate>Refuse</button>
</form>
</main>
</html>
`
