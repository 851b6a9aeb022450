// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The names that a user gives mounts. */
@Command(
        name = "context",
        description = {
            "Gives mounts names.",
            "Commands take a path without packing:// as one of the mount in " + Contexts.MOUNT_VARIABLE
                    + ", or else of the current context. The names are in the file contexts of the user's configuration, or"
                    + " in the file that " + Contexts.FILE_VARIABLE + " names."
        })
final class ContextCommand {
    @Spec
    private @Nullable CommandSpec spec;

    /** A context, as printed. */
    record Context(String name, String uri, boolean current) {}

    private Contexts contexts() {
        return Contexts.of(RootCommand.environment(spec));
    }

    private static List<Context> all(Contexts.Named named) {
        return named.uris().entrySet().stream()
                .map(each -> new Context(
                        each.getKey(),
                        each.getValue().toString(),
                        named.current().filter(each.getKey()::equals).isPresent()))
                .toList();
    }

    private static int print(Report report, Contexts.Named named) {
        List<Context> all = all(named);
        report.print(
                all,
                out -> all.forEach(
                        each -> out.printf("%s %-16s %s%n", each.current() ? "*" : " ", each.name(), each.uri())));
        return ExitCodes.OK;
    }

    @Command(name = "add", description = "Gives a mount a name; the first one becomes the current context.")
    int add(
            @Mixin Report report,
            @Parameters(index = "0", paramLabel = "NAME", description = "Its name.") String name,
            @Parameters(
                            index = "1",
                            paramLabel = "URI",
                            description = "The mount, " + MountUri.FORM + "; paths are below its path then.")
                    String uri)
            throws IOException {
        return print(report, contexts().add(name, MountUri.parse(uri)));
    }

    @Command(name = "use", description = "Makes a context the current one.")
    int use(@Mixin Report report, @Parameters(paramLabel = "NAME", description = "The name of a context.") String name)
            throws IOException {
        return print(report, contexts().use(name));
    }

    @Command(name = "list", description = "Prints all contexts, with a star before the current one.")
    int list(@Mixin Report report) throws IOException {
        return print(report, contexts().read());
    }

    @Command(name = "remove", description = "Forgets the name; the mount stays.")
    int remove(
            @Mixin Report report, @Parameters(paramLabel = "NAME", description = "The name of a context.") String name)
            throws IOException {
        return print(report, contexts().remove(name));
    }
}
