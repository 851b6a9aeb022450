// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.usergroups;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The groups of this machine's accounts, from wherever the machine has them, as {@code id} tells them. */
public final class UnixUserGroups implements UserGroups {
    private static final Duration KEEP = Duration.ofMinutes(5);
    private static final long TIMEOUT_SECONDS = 10;

    private final List<String> command;

    public UnixUserGroups() {
        // With zeros between them: names of groups may have spaces.
        this(List.of("id", "-Gnz", "--"));
    }

    /** @param command that is given the user as its last argument */
    UnixUserGroups(List<String> command) {
        this.command = List.copyOf(command);
    }

    @Override
    public Set<String> groups(String user) throws IOException {
        List<String> words = new ArrayList<>(command);
        words.add(user);
        Process process =
                new ProcessBuilder(words).redirectError(Redirect.DISCARD).start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(
                        "'%s %s' took longer than %d s".formatted(String.join(" ", command), user, TIMEOUT_SECONDS));
            }
            String names = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            // A user without an account has no groups.
            return process.exitValue() == 0
                    ? Arrays.stream(names.split("\0", -1))
                            .filter(name -> !name.isEmpty())
                            .collect(Collectors.toUnmodifiableSet())
                    : Set.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the groups of %s are asked for".formatted(user));
        } finally {
            process.destroyForcibly();
        }
    }

    @Override
    public Duration keep() {
        return KEEP;
    }

    @Override
    public String toString() {
        return "unix";
    }
}
