// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.posix.PosixOptions;
import io.packing.fuse.posix.TreeSource;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.fuse.posix.server.PosixServer.Served;
import io.packing.status.FatalErrors;
import io.packing.status.OpenFiles;
import io.packing.store.EnvironmentKeys;
import io.packing.store.StoreOptions;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** The program of a {@link PosixServer}, which {@link PosixMount} starts. Secrets come in the environment. */
public final class PosixServerMain {
    /** The system property with the file of a trace of calls. */
    public static final String TRACE = "packing.mount.trace";

    /** The system property that is {@code true} when closes of small new files need not wait for them. */
    public static final String WRITE_BEHIND = "packing.mount.write.behind";

    static final String ACCESS_VARIABLE = EnvironmentKeys.ACCESS;
    static final String SECRET_VARIABLE = EnvironmentKeys.SECRET;

    private PosixServerMain() {}

    /** Runs a server with the words of {@link ServerArguments}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        run(ServerArguments.parse(args), (mount, options) -> TreeSource.NONE);
    }

    /** Runs a server of trees with a source beside the table. */
    public static void run(ServerArguments arguments, TreeSource.Factory source)
            throws IOException, InterruptedException {
        // The parent waits for the line below, reads no other one, and not for ever.
        PrintStream out = System.out;
        System.setOut(System.err);
        Map<String, String> options = new LinkedHashMap<>(arguments.options());
        put(options, StoreOptions.ACCESS_KEY.key(), ACCESS_VARIABLE);
        put(options, StoreOptions.SECRET_KEY.key(), SECRET_VARIABLE);
        PosixOptions settings = new PosixOptions(
                arguments.readOnly(),
                arguments.valid(),
                PosixOptions.DRAFT_BYTES,
                PosixOptions.DRAFT_AGE,
                arguments.state(),
                Boolean.getBoolean(WRITE_BEHIND),
                OwnerMap.ofProperties());
        Served served = new Served(
                arguments.master(),
                MountOptions.from(options),
                arguments.path(),
                arguments.directory(),
                settings,
                source,
                Optional.ofNullable(System.getProperty(TRACE)).map(Path::of));
        // Its keeper starts another one.
        OpenFiles.check("the server of " + arguments.directory(), LoggerFactory.getLogger(PosixServerMain.class)::warn);
        FatalErrors.install(
                "the server of " + arguments.directory(), LoggerFactory.getLogger(PosixServerMain.class)::error);
        System.exit(serve(served, out));
    }

    private static int serve(Served served, PrintStream out) throws InterruptedException {
        try {
            return PosixServer.serve(served, () -> {
                out.println(FuseMount.SERVING);
                out.flush();
            });
        } catch (IOException e) {
            LoggerFactory.getLogger(PosixServerMain.class).error("{} could not be served", served.directory(), e);
            System.err.println(e.getMessage());
            return 1;
        }
    }

    private static void put(Map<String, String> options, String key, String variable) {
        String value = System.getenv(variable);
        if (value != null && !value.isEmpty()) {
            options.put(key, value);
        }
    }
}
