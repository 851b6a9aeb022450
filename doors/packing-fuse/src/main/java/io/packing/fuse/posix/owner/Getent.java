// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.owner;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A name service that asks the machine's (NSS) by {@code getent}: it knows the accounts of files, and those of LDAP and
 * SSSD where the machine does. A machine without that program has only {@code /etc/passwd} and {@code /etc/group}.
 */
final class Getent implements NameService {
    private static final int NUMBER = 2;
    private static final int NOT_FOUND = 2;
    private static final int MOST_SECONDS = 10;

    private final String program;
    private final String database;
    private final Path file;

    private Getent(String program, String database) {
        this.program = program;
        this.database = database;
        this.file = Path.of("/etc", database);
    }

    static Getent users() {
        return new Getent("getent", "passwd");
    }

    static Getent groups() {
        return new Getent("getent", "group");
    }

    /** Returns the users of a machine with another program, or none, in its place. */
    static Getent usersBy(String program) {
        return new Getent(program, "passwd");
    }

    @Override
    public Optional<Account> named(String name) throws IOException {
        return ask(name, account -> account.name().equals(name));
    }

    @Override
    public Optional<Account> numbered(int number) throws IOException {
        return ask(Integer.toUnsignedString(number), account -> account.number() == number);
    }

    private Optional<Account> ask(String key, Predicate<Account> isAsked) throws IOException {
        ProcessBuilder command =
                new ProcessBuilder(program, database, "--", key).redirectError(ProcessBuilder.Redirect.DISCARD);
        Process process;
        try {
            process = command.start();
        } catch (IOException e) {
            return fromFile(isAsked);
        }
        CompletableFuture<Void> late = CompletableFuture.runAsync(
                process::destroyForcibly, CompletableFuture.delayedExecutor(MOST_SECONDS, TimeUnit.SECONDS));
        try (InputStream out = process.getInputStream()) {
            process.getOutputStream().close();
            String said = new String(out.readAllBytes(), StandardCharsets.ISO_8859_1);
            int code = process.waitFor();
            if (code != 0 && code != NOT_FOUND) {
                throw new IOException("getent %s -- %s ended with %d".formatted(database, key, code));
            }
            return code == 0 ? said.lines().findFirst().flatMap(Getent::account) : Optional.empty();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while getent was asked for " + key, e);
        } finally {
            boolean unused = late.cancel(false);
        }
    }

    private Optional<Account> fromFile(Predicate<Account> isAsked) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            // A machine without names has numbers.
            return Optional.empty();
        }
        Stream<Account> all = lines.stream().flatMap(line -> account(line).stream());
        return all.filter(isAsked).findFirst();
    }

    /** Reads a line of {@code name:x:number:...}. */
    private static Optional<Account> account(String line) {
        String[] fields = line.split(":", -1);
        if (fields.length <= NUMBER || fields[0].isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Account(fields[0], Integer.parseUnsignedInt(fields[NUMBER])));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
