// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Short commands, which run once against a master in the same process. The launcher's JVM lists the classes that they load, and makes an archive
 * of them. The argument is an empty directory, which the launcher removes.
 */
final class ClassRehearsal {
    private static final long LIMIT_SECONDS = 60;

    private ClassRehearsal() {}

    public static void main(String[] args) throws IOException {
        endAfter(LIMIT_SECONDS);
        Path directory = Path.of(args[0]);
        String store =
                Files.createDirectories(directory.resolve("store")).toUri().toString();
        BdtMasterOptions config = BdtMasterOptions.from(Map.of(
                BdtMasterOptions.DATA_DIR.key(),
                directory.resolve("bdt").toString(),
                BdtMasterOptions.BIND_HOST.key(),
                "127.0.0.1",
                BdtMasterOptions.PORT.key(),
                "0",
                BdtMasterOptions.STORES.key(),
                store));
        try (BdtMaster master = BdtMaster.start(config)) {
            master.serve();
            commands("127.0.0.1:" + master.port(), store);
        }
        System.exit(ExitCodes.OK);
    }

    /** Runs the commands. One that fails has loaded its classes, too. */
    private static void commands(String master, String store) {
        System.out.println(ProgramVersion.line());
        for (List<String> words : List.of(
                List.of("bdt", "ls"),
                List.of("bdt", "stat", "/"),
                List.of("bdt", "locate", "/none"),
                List.of("bdt", "ls", "--json"),
                List.of("snapshot", "list", "/"),
                List.of("quota", "list"))) {
            List<String> target = List.of("--master", master, "--option", "packing.store=" + store);
            int unused =
                    Main.execute(Stream.concat(words.stream(), target.stream()).toArray(String[]::new));
        }
        int unused = Main.execute("--help");
    }

    /** Ends this process if it has not ended by itself. */
    private static void endAfter(long seconds) {
        Thread thread = new Thread(
                () -> {
                    try {
                        boolean unused = new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    Runtime.getRuntime().halt(ExitCodes.FAILED);
                },
                "rehearsal-limit");
        thread.setDaemon(true);
        thread.start();
    }
}
