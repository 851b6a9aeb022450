// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.databases;

import io.packing.storeservers.InstalledProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The program {@code sqlite3}, which commits rows one by one and prints the number of each after its commit. */
record SqliteWriter(InstalledProgram program, Path scripts) {
    private static final String PROGRAM = "sqlite3";
    private static final String INSTALL = "apt-get install sqlite3";
    private static final String READY = "ready";
    private static final String SOUND = "ok";
    /** Bytes of a row beside its number. */
    private static final int PAYLOAD = 100;

    /** Work between the commits of a writer that runs. */
    interface Interruption {
        void run() throws IOException, InterruptedException;
    }

    /** A check of a database file: SQLite's own verdict, and the rows that it has. */
    record Found(String integrity, Set<Integer> rows) {
        Found {
            rows = Set.copyOf(rows);
        }
    }

    /**
     * Returns the installed program.
     *
     * @param scripts the folder for what it reads
     * @throws IOException with the command that installs it if it is missing
     */
    static SqliteWriter find(Path scripts) throws IOException {
        return new SqliteWriter(InstalledProgram.require(PROGRAM, INSTALL), Files.createDirectories(scripts));
    }

    /**
     * Commits rows in a new database.
     *
     * @return seconds from the first commit's begin to the last commit's end
     * @throws IOException if a row is not committed
     */
    double commit(Path database, SqliteJournal journal, int rows) throws IOException, InterruptedException {
        Process process = start(database, journal, rows);
        long from;
        int committed = 0;
        long until;
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            awaitReady(lines, database);
            from = System.nanoTime();
            while (lines.readLine() != null) {
                committed++;
            }
            until = System.nanoTime();
        }
        int status = process.waitFor();
        if (status != 0 || committed != rows) {
            throw new IOException("sqlite3 committed %d of %d rows in %s and ended with status %d: %s"
                    .formatted(committed, rows, database, status, Files.readString(errors(database))));
        }
        return (until - from) / 1e9;
    }

    /**
     * Commits rows in a new database until the writer is killed.
     *
     * @param rows that are acknowledged before the kill
     * @param others kills what else is to die, just before the writer
     * @return the numbers of all acknowledged rows, also of those after the first ones
     */
    Set<Integer> commitUntilKilled(Path database, SqliteJournal journal, int rows, Interruption others)
            throws IOException, InterruptedException {
        // More than any disk commits until the kill.
        Process process = start(database, journal, rows * 100);
        Set<Integer> acknowledged = new HashSet<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            awaitReady(lines, database);
            String line = lines.readLine();
            while (line != null) {
                acknowledged.add(Integer.parseInt(line));
                if (acknowledged.size() == rows) {
                    others.run();
                    // Not by the process itself, which would close the pipe with the numbers that are still in it.
                    process.toHandle().destroyForcibly();
                }
                line = lines.readLine();
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        if (acknowledged.size() < rows) {
            throw new IOException("sqlite3 ended after %d rows in %s: %s"
                    .formatted(acknowledged.size(), database, Files.readString(errors(database))));
        }
        return acknowledged;
    }

    /** Opens a database that a killed writer left, checks it, and returns its rows. */
    Found check(Path database) throws IOException, InterruptedException {
        Path errors = errors(database);
        Process process = new ProcessBuilder(
                        program.path().toString(),
                        "-batch",
                        database.toString(),
                        "PRAGMA integrity_check; SELECT id FROM acknowledged ORDER BY id;")
                .redirectError(errors.toFile())
                .start();
        List<String> lines = process.inputReader(StandardCharsets.UTF_8).lines().toList();
        if (process.waitFor() != 0 || lines.isEmpty()) {
            return new Found(Files.readString(errors).strip(), Set.of());
        }
        if (!lines.get(0).equals(SOUND)) {
            return new Found(String.join("; ", lines), Set.of());
        }
        Set<Integer> rows = new HashSet<>();
        lines.subList(1, lines.size()).forEach(line -> rows.add(Integer.valueOf(line)));
        return new Found(SOUND, rows);
    }

    private Process start(Path database, SqliteJournal journal, int rows) throws IOException {
        List<String> script = new ArrayList<>(List.of(
                ".bail on",
                "PRAGMA journal_mode=%s;".formatted(journal),
                "PRAGMA synchronous=FULL;",
                "CREATE TABLE acknowledged(id INTEGER PRIMARY KEY, payload TEXT NOT NULL);",
                ".print " + READY));
        for (int row = 1; row <= rows; row++) {
            script.add("INSERT INTO acknowledged VALUES(%d, '%s');".formatted(row, "x".repeat(PAYLOAD)));
            // A row that the insert itself returned would be printed before its commit.
            script.add(".print " + row);
        }
        Path input = scripts.resolve(database.getFileName() + ".sql");
        Files.write(input, script);
        return new ProcessBuilder(program.path().toString(), "-batch", database.toString())
                .redirectInput(input.toFile())
                .redirectError(errors(database).toFile())
                .start();
    }

    private Path errors(Path database) {
        return scripts.resolve(database.getFileName() + ".err");
    }

    private void awaitReady(BufferedReader lines, Path database) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.equals(READY)) {
            line = lines.readLine();
        }
        if (line == null) {
            throw new IOException(
                    "sqlite3 made no table in %s: %s".formatted(database, Files.readString(errors(database))));
        }
    }
}
