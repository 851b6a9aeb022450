// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.store.ObjectInfo;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import io.packing.store.PreconditionFailedException;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;

/** An object store in memory, for keys of ASCII. Counts its puts. */
final class MapObjects implements ObjectStore {
    private final TreeMap<String, byte[]> objects = new TreeMap<>();
    private final Set<String> answered = new HashSet<>();
    private Optional<RandomGenerator> damage = Optional.empty();
    private int puts;
    /** After so many more requests no other is answered; negative: no end. */
    private int left = -1;
    /** True if it ignores conditions of puts. */
    private boolean unconditional;

    private boolean lastIsDone;

    private String awaited = "";
    private Runnable before = () -> {};

    synchronized List<String> keys(String prefix) {
        return objects.keySet().stream().filter(key -> key.startsWith(prefix)).toList();
    }

    synchronized int puts() {
        return puts;
    }

    /** Changes one byte in the middle of an object. */
    synchronized void damage(String key) {
        byte[] bytes = bytes(key).clone();
        bytes[bytes.length / 2] ^= 1;
        objects.put(key, bytes);
    }

    /** Cuts off the last bytes of an object. */
    synchronized void cutOff(String key, int length) {
        byte[] bytes = bytes(key);
        objects.put(key, Arrays.copyOf(bytes, bytes.length - length));
    }

    /** From now on the first answer for each object has a wrong byte, wherever the generator says. */
    synchronized void damageFirstAnswers(RandomGenerator generator) {
        answered.clear();
        damage = Optional.of(generator);
    }

    /** Returns whether an object was answered since then. */
    synchronized boolean isAnswered(String key) {
        return answered.contains(key);
    }

    /** From now on all answers are sound. */
    synchronized void damageNothing() {
        damage = Optional.empty();
    }

    /**
     * After so many requests none is done any more, as for a machine that ends there.
     *
     * @param done whether the request is done at which it ends, though nobody hears of it
     */
    synchronized void endAfter(int requests, boolean done) {
        left = requests;
        lastIsDone = done;
    }

    /** From now on all requests are answered again. */
    synchronized void goOn() {
        left = -1;
    }

    /** From now on it ignores conditions of puts, as old versions of some stores do, or obeys them. */
    synchronized void ignoreConditions(boolean ignore) {
        unconditional = ignore;
    }

    /** All objects. */
    synchronized Map<String, byte[]> copy() {
        return Map.copyOf(objects);
    }

    /** From now on these are the objects. */
    synchronized void become(Map<String, byte[]> others) {
        objects.clear();
        objects.putAll(others);
    }

    /** Does something once, before the first download of an object whose key begins so. */
    synchronized void beforeDownload(String prefix, Runnable what) {
        awaited = prefix;
        before = what;
    }

    private synchronized void tellDownload(String key) {
        if (!awaited.isEmpty() && key.startsWith(awaited)) {
            awaited = "";
            before.run();
        }
    }

    /** A request of a machine that may end at it. */
    private interface Request<T> {
        T send() throws IOException;
    }

    private synchronized <T> T ask(Request<T> request) throws IOException {
        if (left > 0) {
            left--;
        } else if (left == 0) {
            if (lastIsDone) {
                lastIsDone = false;
                request.send();
            }
            throw new IOException("the store is not reached any more");
        }
        return request.send();
    }

    private synchronized byte[] answer(String key, byte[] sound) {
        if (damage.isEmpty() || sound.length == 0 || !answered.add(key)) {
            return sound;
        }
        byte[] bytes = sound.clone();
        bytes[damage.get().nextInt(bytes.length)] ^= (byte) (1 << damage.get().nextInt(8));
        return bytes;
    }

    @Override
    public String location() {
        return "map:";
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        if (crc32c.isPresent() && crc32c.getAsInt() != (int) crc.getValue()) {
            throw new IOException("%s has crc %08x, want %08x".formatted(key, crc.getValue(), crc32c.getAsInt()));
        }
        put(key, ByteBuffer.wrap(bytes), condition);
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        ask(() -> {
            store(key, bytes, condition);
            return true;
        });
    }

    private void store(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        if (condition == PutCondition.IF_ABSENT && !unconditional && objects.containsKey(key)) {
            throw new PreconditionFailedException(key);
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        objects.put(key, copy);
        puts++;
    }

    @Override
    public ByteBuffer get(String key, long offset, int length) throws IOException {
        return ask(() -> {
            if (!objects.containsKey(key)) {
                throw new ObjectNotFoundException(key);
            }
            return ByteBuffer.wrap(answer(key, Arrays.copyOfRange(bytes(key), (int) offset, (int) offset + length)));
        });
    }

    @Override
    public void download(String key, Path file) throws IOException {
        tellDownload(key);
        byte[] bytes = ask(() -> {
            if (!objects.containsKey(key)) {
                throw new ObjectNotFoundException(key);
            }
            return answer(key, bytes(key));
        });
        Files.write(file, bytes);
    }

    @Override
    public ByteBuffer getTail(String key, int length) throws IOException {
        int size = bytes(key).length;
        int tail = Math.min(size, length);
        return get(key, size - tail, tail);
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        return ask(() -> Optional.ofNullable(objects.get(key)).map(bytes -> new ObjectInfo(key, bytes.length, "1")));
    }

    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        return ask(() -> listed(prefix, startAfter, limit));
    }

    private List<ObjectInfo> listed(String prefix, String startAfter, int limit) {
        return objects.tailMap(prefix, true).entrySet().stream()
                .filter(object ->
                        object.getKey().startsWith(prefix) && object.getKey().compareTo(startAfter) > 0)
                .limit(limit)
                .map(object -> new ObjectInfo(object.getKey(), object.getValue().length, "1"))
                .toList();
    }

    @Override
    public void delete(Collection<String> keys) throws IOException {
        ask(() -> objects.keySet().removeAll(keys));
    }

    @Override
    public void close() {}

    synchronized byte[] bytes(String key) {
        return objects.getOrDefault(key, new byte[0]);
    }
}
