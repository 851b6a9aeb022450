// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.farm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The commit of the sources that a farm plays. */
final class PlayedCommit {
    /** The folders with the classes that a simulation loads. */
    private static final List<String> FOLDERS =
            List.of("base", "formats", "bdt", "bdt-master", "worker-buffer", "lab/simulation", "lab/power-loss");

    private PlayedCommit() {}

    /** Returns the short name of the commit of a clone, with {@code +} behind it if its sources have changes; {@code unknown} without git. */
    static String of(Path root) throws IOException, InterruptedException {
        String commit = git(root, "rev-parse", "--short=9", "HEAD");
        if (commit.isEmpty()) {
            return "unknown";
        }
        List<String> changes = new ArrayList<>(List.of("status", "--porcelain", "--"));
        changes.addAll(FOLDERS);
        return git(root, changes.toArray(String[]::new)).isEmpty() ? commit : commit + "+";
    }

    private static String git(Path root, String... words) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("git", "-C", root.toAbsolutePath().toString()));
        command.addAll(List.of(words));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            // No git here: the row says so.
            return "";
        }
        process.getOutputStream().close();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? answer.strip() : "";
    }
}
