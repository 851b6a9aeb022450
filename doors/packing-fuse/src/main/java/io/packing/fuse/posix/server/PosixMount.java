// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountSpec;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A directory of a packing mount that the kernel shall mount.
 *
 * @param master address of the BDT master
 * @param path of the directory in the mount
 * @param options of the mount
 * @param valid the time for which the kernel need not ask again
 * @param spec of the place
 * @param jvmOptions of the server's process
 * @param owners the operator's map of owners
 * @param program that takes the words of {@link ServerArguments}
 */
public record PosixMount(
        String master,
        FilePath path,
        Map<String, String> options,
        Duration valid,
        MountSpec spec,
        List<String> jvmOptions,
        OwnerMap owners,
        Class<?> program) {
    /** Makes a mount of the table's tree without a further source. */
    public PosixMount(
            String master,
            FilePath path,
            Map<String, String> options,
            Duration valid,
            MountSpec spec,
            List<String> jvmOptions,
            OwnerMap owners) {
        this(master, path, options, valid, spec, jvmOptions, owners, PosixServerMain.class);
    }

    /** Mounts the directory; returns when it answers. */
    public FuseMount start() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // No tool reads its counters, which cost 20 wake-ups in a second.
        command.add("-XX:-UsePerfData");
        command.addAll(jvmOptions);
        command.addAll(owners.jvmOptions());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        Map<String, String> environment = new HashMap<>();
        Map<String, String> shown = new LinkedHashMap<>(options);
        // Every user of the machine sees a command line.
        move(shown, StoreOptions.ACCESS_KEY.key(), environment, PosixServerMain.ACCESS_VARIABLE);
        move(shown, StoreOptions.SECRET_KEY.key(), environment, PosixServerMain.SECRET_VARIABLE);
        command.addAll(new ServerArguments(master, path, spec.directory(), spec.state(), spec.readOnly(), valid, shown)
                .words());
        return FuseMount.start(spec, command, environment);
    }

    private static void move(Map<String, String> from, String key, Map<String, String> to, String variable) {
        String value = from.remove(key);
        if (value != null) {
            to.put(variable, value);
        }
    }
}
