import { Argument, Command } from "commander";
import { leaves } from "../domain/refusal-rule.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** `fermata completion`: a script that a shell reads to complete commands and flags. It is made from the commands themselves. */
export function completion(root: Command): Command {
  return new Command("completion")
    .description("Print a completion script for a shell")
    .addArgument(new Argument("<shell>", "which shell").choices(shells))
    .addHelpText(
      "after",
      `
Examples:
  source <(fermata completion bash)
  fermata completion zsh > "\${fpath[1]}/_fermata"
  fermata completion fish > ~/.config/fish/completions/fermata.fish`,
    )
    .action((shell: Shell) => {
      process.stdout.write(scripts[shell](root.commands.map(toWords)));
    });
}

const scripts: Readonly<Record<Shell, (commands: readonly Words[]) => string>> = { bash, zsh, fish };

/** What may follow `fermata`, and what may follow that: flags, and values for an argument that has known ones. */
interface Words {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly Flag[];
  readonly values: readonly string[];
}

interface Flag {
  readonly name: string;
  readonly description: string;
  readonly takesValue: boolean;
}

function toWords(command: Command): Words {
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map((option) => ({
      name: option.long?.slice(2) ?? "",
      description: firstSentence(option.description),
      takesValue: option.required,
    }));
  const flags = [...options, { name: "help", description: "Show help", takesValue: false }];
  return { name: command.name(), description: firstSentence(command.description()), flags, values: valuesOf(command) };
}

function valuesOf(command: Command): readonly string[] {
  if (command.name() === "explain") return leaves.map((leaf) => leaf.reason);
  return command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
}

function firstSentence(text: string): string {
  return text.split(/[.:;] /)[0]?.replaceAll(/['"`[\]\\$]/g, "") ?? "";
}

function bash(commands: readonly Words[]): string {
  const cases = commands.map(({ name, flags, values }) => {
    const words = [...values, ...flags.map((flag) => `--${flag.name}`)];
    return `    ${name}) words="${words.join(" ")}" ;;\n`;
  });
  return `# bash completion of fermata
_fermata() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases.join("")}  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${commands.map(({ name }) => name).join(" ")} help --help"; fi
  COMPREPLY=()
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _fermata fermata
`;
}

function zsh(commands: readonly Words[]): string {
  const described = commands.map(({ name, description }) => `    '${name}:${description}'\n`);
  const cases = commands.map(({ name, flags, values }) => {
    const specs = flags.map(({ name: flag, description, takesValue }) => {
      return ` '*--${flag}[${description}]${takesValue ? ":value:_files" : ""}'`;
    });
    const rest = values.length === 0 ? "'*:file:_files'" : `'1:value:(${values.join(" ")})'`;
    return `    ${name}) _arguments${specs.join("")} ${rest} ;;\n`;
  });
  return `#compdef fermata
_fermata() {
  local -a commands
  commands=(
${described.join("")}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("")}  esac
}
compdef _fermata fermata
`;
}

function fish(commands: readonly Words[]): string {
  const lines = commands.flatMap(({ name, description, flags, values }) => {
    const within = `complete -c fermata -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c fermata -n __fish_use_subcommand -f -a ${name} -d '${description}'`,
      ...flags.map((flag) => `${within} -l ${flag.name}${flag.takesValue ? " -r" : ""} -d '${flag.description}'`),
      ...(values.length === 0 ? [] : [`${within} -f -a '${values.join(" ")}'`]),
    ];
  });
  return `# fish completion of fermata\n${lines.join("\n")}\n`;
}
