// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** An object store in the middle of whose puts something happens: a failure before or after, or what a test says. */
final class InterruptedObjects implements ObjectStore {
    /** The failure that was asked for. */
    static final class Injected extends IOException {
        private static final long serialVersionUID = 1L;

        Injected() {
            super("injected");
        }
    }

    /** Something that happens. */
    interface Event {
        void happen() throws IOException;
    }

    private final ObjectStore objects;
    private Event before = () -> {};
    private Event after = () -> {};
    private Event afterSmall = () -> {};
    private int gets;
    private int damage;

    InterruptedObjects(ObjectStore objects) {
        this.objects = objects;
    }

    /** The next put fails, before it is done or after. */
    void failNextPut(boolean done) {
        Event failure = () -> {
            throw new Injected();
        };
        before = done ? () -> {} : failure;
        after = done ? failure : () -> {};
    }

    /** Lets the next put of bytes in memory succeed, and its caller see a failure. */
    void loseNextAnswer() {
        afterSmall = () -> {
            throw new Injected();
        };
    }

    /** Sets the event that happens during the next put. */
    void beforePut(Event event) {
        before = event;
    }

    /** Every byte of an answer is wrong from now on, unless it is asked for again. */
    void damageAllButSecondLooks() {
        damage = 1;
    }

    int gets() {
        return gets;
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        Event first = before;
        Event then = after;
        before = () -> {};
        after = () -> {};
        first.happen();
        objects.put(key, file, crc32c, condition);
        then.happen();
    }

    @Override
    public ByteBuffer get(String key, long offset, int length) throws IOException {
        gets++;
        ByteBuffer sound = objects.get(key, offset, length);
        ByteBuffer answer = ByteBuffer.allocate(length);
        while (answer.hasRemaining()) {
            answer.put((byte) (sound.get() ^ damage));
        }
        return answer.flip();
    }

    @Override
    public ByteBuffer getAgain(String key, long offset, int length) throws IOException {
        return objects.get(key, offset, length);
    }

    @Override
    public String location() {
        return objects.location();
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        Event then = afterSmall;
        afterSmall = () -> {};
        objects.put(key, bytes, condition);
        then.happen();
    }

    @Override
    public ByteBuffer getTail(String key, int length) throws IOException {
        return objects.getTail(key, length);
    }

    @Override
    public void download(String key, Path file) throws IOException {
        objects.download(key, file);
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        return objects.head(key);
    }

    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        return objects.list(prefix, startAfter, limit);
    }

    @Override
    public void delete(Collection<String> keys) throws IOException {
        objects.delete(keys);
    }

    @Override
    public void close() {
        objects.close();
    }
}
