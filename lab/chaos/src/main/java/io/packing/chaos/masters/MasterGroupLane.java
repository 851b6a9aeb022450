// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/** A thread that creates, overwrites, renames, deletes, looks at, reads and lists files until the round ends. */
final class MasterGroupLane implements Callable<List<Place>> {
    private static final int OWN_OF_A_HUNDRED = 15;
    private static final int LONGEST_PAUSE_MILLIS = 10;

    private final DirectoryClient visitor;
    private final List<Place> shared;
    private final String own;
    private final Random random;
    private final AtomicBoolean end;
    private final List<Place> places = new ArrayList<>();

    /**
     * Makes a lane.
     *
     * @param shared places that other lanes use, too
     * @param own a directory for files of this lane
     */
    MasterGroupLane(DirectoryClient visitor, List<Place> shared, String own, Random random, AtomicBoolean end) {
        this.visitor = visitor;
        this.shared = shared;
        this.own = own;
        this.random = random;
        this.end = end;
    }

    /** Works until the round ends, and returns the places of this lane's own files. */
    @Override
    public List<Place> call() throws IOException, InterruptedException {
        try (visitor) {
            visitor.makeDirectory(own);
            while (!end.get()) {
                // The pause leaves the shared machine to all processes: none may wait for its turn longer than for a
                // lease.
                Sleep.millis(random.nextInt(LONGEST_PAUSE_MILLIS));
                if (random.nextInt(100) < OWN_OF_A_HUNDRED) {
                    writeOwn();
                } else {
                    share(shared.get(random.nextInt(shared.size())));
                }
            }
        }
        return places;
    }

    private void writeOwn() throws IOException, InterruptedException {
        String name = "f" + places.size();
        Place place = new Place(own, List.of(name, name + "-moved"), false, random.nextLong());
        places.add(place);
        visitor.create(place, name, random.nextBoolean());
        int draw = random.nextInt(100);
        if (draw < 20) {
            visitor.move(place, name, name + "-moved", random.nextBoolean());
        } else if (draw < 35) {
            visitor.create(place, name, true);
        } else if (draw < 45) {
            visitor.delete(place, name);
        }
    }

    private void share(Place place) throws IOException, InterruptedException {
        int at = random.nextInt(place.names().size());
        String name = place.names().get(at);
        String other = place.names()
                .get((at + 1 + random.nextInt(place.names().size() - 1))
                        % place.names().size());
        int draw = random.nextInt(100);
        if (draw < 15) {
            visitor.create(place, name, false);
        } else if (draw < 25) {
            visitor.create(place, name, true);
        } else if (draw < 38) {
            visitor.delete(place, name);
        } else if (draw < 48) {
            visitor.move(place, name, other, false);
        } else if (draw < 63) {
            visitor.move(place, name, other, true);
        } else if (draw < 80) {
            boolean unused = visitor.look(place, name);
        } else if (draw < 90) {
            boolean unused = visitor.names(place);
        } else {
            boolean unused = visitor.read(place, name);
        }
    }
}
