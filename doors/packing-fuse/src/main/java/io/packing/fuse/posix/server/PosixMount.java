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
 * @param program that takes the arguments of {@link PosixServerMain}
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
        command.addAll(List.of(
                master,
                path.value(),
                spec.directory().toString(),
                spec.state().toString(),
                spec.readOnly() ? "ro" : "rw",
                Long.toString(valid.toMillis())));
        Map<String, String> environment = new HashMap<>();
        options.forEach((key, value) -> {
            // Every user of the machine sees a command line.
            if (key.equals(StoreOptions.ACCESS_KEY.key())) {
                environment.put(PosixServerMain.ACCESS_VARIABLE, value);
            } else if (key.equals(StoreOptions.SECRET_KEY.key())) {
                environment.put(PosixServerMain.SECRET_VARIABLE, value);
            } else {
                command.add(key + "=" + value);
            }
        });
        return FuseMount.start(spec, command, environment);
    }
}
