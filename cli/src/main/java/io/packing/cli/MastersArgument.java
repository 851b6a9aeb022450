// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.client.MountName;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The mount that a command is about: a URI among its arguments names it, or {@code --master} as in earlier versions, or the
 * variable {@code PACKING_MOUNT}, or the user's current context.
 */
class MastersArgument {
    /** The label and the description of an argument that is a mount. */
    static final String MOUNT_LABEL = "MOUNT";

    static final String MOUNT = "The mount, as packing://[MOUNT@]HOST[:PORT][,HOST[:PORT]...]/ (default: "
            + Contexts.MOUNT_VARIABLE + ", or the current context; see packing context).";

    private static final String NONE =
            "no mount is named: give packing://HOST:PORT/PATH, or set " + Contexts.MOUNT_VARIABLE
                    + ", or choose one for all commands: packing context add NAME packing://HOST:PORT/";

    // What earlier versions took; the next version does without it.
    @Option(
            names = "--master",
            paramLabel = "HOST:PORT",
            hidden = true,
            converter = BindAddress.class,
            description =
                    "The BDT master, or the masters of a group with commas between them; packing://HOST:PORT/ says the same.")
    private Optional<String> master = Optional.empty();

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    private Optional<MountUri> named = Optional.empty();
    private Optional<String> plain = Optional.empty();
    private boolean told;

    /**
     * Takes a path of the mount, or a URI that names the mount with it.
     *
     * @throws IllegalArgumentException when it is something else, or names another mount than an argument before
     */
    final FilePath path(String text) throws IOException {
        if (!MountUri.isOne(text)) {
            if (MountPath.isAddress(text)) {
                throw new IllegalArgumentException(
                        "%s is an address, and no path of a mount: give a path, such as /a, or %s. packing copy copies from other places"
                                .formatted(text, MountUri.FORM));
            }
            plain = Optional.of(text);
            checkEither();
            return named.isEmpty() && master.isEmpty() ? fallback().below(text) : FilePath.normalise(text);
        }
        MountUri uri = MountUri.parse(text);
        if (named.isPresent() && !named.get().mount().equals(uri.mount())) {
            throw new IllegalArgumentException(
                    "%s and %s are of two mounts, which share no bytes: packing copy copies files from one to another"
                            .formatted(named.get(), uri));
        }
        named = Optional.of(uri);
        checkEither();
        return uri.path();
    }

    private void checkEither() {
        if (named.isPresent() && plain.isPresent()) {
            throw new IllegalArgumentException("%s names its mount, and %s does not: name the mount in both, or in none"
                    .formatted(named.get(), plain.get()));
        }
    }

    /** Takes the mount, if an argument names it. */
    final void mount(Optional<String> uri) throws IOException {
        if (uri.isPresent()) {
            FilePath unused = path(MountUri.parse(uri.get()).toString());
        } else if (named.isEmpty() && master.isEmpty()) {
            MountUri unused = fallback();
        }
    }

    /**
     * Takes the mount from a command's words, if the first of them names it; returns the other words.
     *
     * @param count of the other words
     */
    final List<String> operands(List<String> words, int count, String labels) throws IOException {
        boolean first = !words.isEmpty() && MountUri.isOne(words.get(0));
        List<String> operands = first ? words.subList(1, words.size()) : words;
        if (operands.size() != count) {
            throw new IllegalArgumentException("expected %s, perhaps behind %s, and got: %s"
                    .formatted(labels, MountUri.FORM, words.isEmpty() ? "nothing" : String.join(" ", words)));
        }
        if (first) {
            FilePath unused = path(words.get(0));
        }
        return operands;
    }

    /** Returns the path of the URI that names the mount. */
    final FilePath base() throws IOException {
        if (named.isPresent()) {
            return named.get().path();
        }
        return master.isPresent() ? FilePath.ROOT : fallback().path();
    }

    /** Returns a path below the URI that names the mount. */
    final FilePath below(String written) throws IOException {
        FilePath base = base();
        return FilePath.normalise(base.isRoot() ? written : base + "/" + written);
    }

    /** Returns the mount's name and its masters. */
    final MountName name() throws IOException {
        if (named.isPresent()) {
            return named.get().mount();
        }
        if (master.isPresent()) {
            if (!told) {
                told = true;
                tellReplaced("--master", MountUri.FORM + ", " + Contexts.MOUNT_VARIABLE + " or packing context");
            }
            return new MountName("", master.get());
        }
        return fallback().mount();
    }

    /** Returns the masters' addresses. */
    final String masters() throws IOException {
        return name().masters();
    }

    /** Returns the URI of the environment or of the current context. */
    private MountUri fallback() throws IOException {
        Map<String, String> environment = RootCommand.environment(command);
        String text = environment.getOrDefault(Contexts.MOUNT_VARIABLE, "");
        if (!text.isEmpty()) {
            try {
                return MountUri.parse(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("%s: %s".formatted(Contexts.MOUNT_VARIABLE, e.getMessage()), e);
            }
        }
        return Contexts.of(environment).read().uri().orElseThrow(() -> new IllegalArgumentException(NONE));
    }

    /** Says, in one line, what goes before a form that the next version does not take any more. */
    final void tellReplaced(String old, String now) {
        tell("%s is taken for this version only; use %s".formatted(old, now));
    }

    /** Prints a line for the user beside the command's output. */
    final void tell(String line) {
        PrintWriter err = Objects.requireNonNull(command).commandLine().getErr();
        err.println("packing: " + line);
        err.flush();
    }
}
