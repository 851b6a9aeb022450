package io.packing.cli;

import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountSpec;
import io.packing.layers.LayerStoreMount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows layers of a registry's images to container engines. */
@Command(
        name = "layers",
        description = {
            "Mounts the layers of a registry's images as an additional layer store of podman, read-only, by FUSE;"
                    + " needs root and /dev/fuse.",
            "An engine that has \"DIR:ref\" among its additionallayerstores pulls no layer from this registry: it"
                    + " reads from DIR what its containers touch. Stays in the foreground until SIGTERM, and unmounts"
                    + " then."
        })
final class LayersCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "DIR", description = "The directory to mount it on.")
    private Path directory = Path.of("");

    @Mixin
    private MountPlace place = new MountPlace();

    @Mixin
    private RegistryTarget target = new RegistryTarget();

    @Mixin
    private Report report = new Report();

    /** What a script needs to know. */
    record Started(String store, String directory, String state, long keeper) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        MountSpec spec = place.spec(directory, "layers of " + target.text(), true);
        FuseMount mount;
        try (RegistryTarget.Opened opened = target.open()) {
            mount = new LayerStoreMount(
                            target.master(), opened.base(), target.rawOptions(), spec, place.jvmOptions(spec))
                    .start(opened.files());
        }
        return place.keep(mount, () -> {
            Started started = new Started(
                    target.text(), spec.directory().toString(), spec.state().toString(), mount.keeper());
            report.print(started, out -> {
                out.printf("layers of %s are at %s%n", started.store(), started.directory());
                out.printf("storage.conf: additionallayerstores = [\"%s:ref\"]%n", started.directory());
            });
        });
    }
}
