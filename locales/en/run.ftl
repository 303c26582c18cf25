### Runs: what happens after "Start training".

# A plan's further arguments.
problem-plan-reserved-argument = The plan sets { $name }, which this app sets itself.
    .help = Remove { $name } from the plan's further arguments. What it controls has a field of its own, or is decided by the app.
problem-plan-unknown-argument = { $name } is not an argument of training in Ultralytics { $version }.
    .help = Look for a typing mistake, or remove it from the plan's further arguments.
