// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.rig.EngineRig;
import io.packing.rig.Workspace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Two registry processes over one mount, of which one or the other may be dead for a while. Thread-safe for those who ask where they are. */
final class RegistryPair {
    private final Workspace workspace;
    private final EngineRig rig;
    private final List<EngineRig.Registry> running = Collections.synchronizedList(new ArrayList<>());
    private int started;

    private RegistryPair(Workspace workspace, EngineRig rig) {
        this.workspace = workspace;
        this.rig = rig;
    }

    static RegistryPair start(Workspace workspace, EngineRig rig) throws IOException, InterruptedException {
        RegistryPair pair = new RegistryPair(workspace, rig);
        pair.running.add(pair.launch(0));
        pair.running.add(pair.launch(1));
        return pair;
    }

    /** Only the first has a cache of layers on its disk, so that both ways of a pull are taken. */
    private EngineRig.Registry launch(int which) throws IOException, InterruptedException {
        started++;
        List<String> flags =
                which == 0 ? List.of("--cache-dir", cache().toString(), "--cache-bytes", "4MB") : List.of("--no-trees");
        return rig.startRegistry(workspace, "registry-%d-%d".formatted(which, started), flags);
    }

    /** Returns the first registry's directory of layers. */
    Path cache() {
        return workspace.directory().resolve("layers");
    }

    /** Returns the address of a registry, also of a dead one. */
    URI uri(int which) {
        return running.get(which).uri();
    }

    /** Kills one as a crash would. */
    void kill(int which) throws InterruptedException {
        running.get(which).process().kill();
    }

    /** Starts one again that was killed. */
    void restart(int which) throws IOException, InterruptedException {
        running.set(which, launch(which));
    }
}
