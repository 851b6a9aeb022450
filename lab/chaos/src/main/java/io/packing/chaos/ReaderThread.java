// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import io.packing.chaos.client.DoorKind;
import io.packing.chaos.cluster.ClientThread;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/** A client's thread that reads files while the lanes write them. */
final class ReaderThread implements AutoCloseable {
    private final Stage stage;
    private final ClientThread caller;
    private final DoorKind door;
    private final SplittableRandom random;

    ReaderThread(int number, Stage stage, SplittableRandom random) {
        this.stage = stage;
        this.caller = new ClientThread(
                stage.cluster().clients().get(number % stage.cluster().clients().size()), stage.journal()::note);
        this.door = number / 2 % 2 == 0 ? DoorKind.WORKER : DoorKind.HADOOP;
        this.random = random;
    }

    void step() throws IOException, InterruptedException {
        List<String> paths = stage.model().paths();
        stage.peace().readLock().lock();
        try {
            if (paths.isEmpty()) {
                return;
            }
            String path = paths.get(random.nextInt(paths.size()));
            if (!stage.model().contents(path).isEmpty()) {
                Reading.once(stage, caller, door, path, random);
            }
        } finally {
            stage.peace().readLock().unlock();
        }
    }

    @Override
    public void close() throws IOException {
        caller.close();
    }
}
