// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The store of a mount with one home or two. */
class HomesStoreTest {
    private static final Map<String, String> OLD = Map.of("packing.store", "s3://old/p");
    private static final Map<String, String> NEW = Map.of("packing.store", "s3://new/p");
    private static final String EARLY = "blobs/00/w-8-1000";
    private static final String LATE = "blobs/00/w-8-3000";

    private final Map<RequestKind, Integer> oldRequests = new EnumMap<>(RequestKind.class);
    private final Map<RequestKind, Integer> newRequests = new EnumMap<>(RequestKind.class);
    private final ObjectStore atOld = metered("s3://old/p", oldRequests);
    private final ObjectStore atNew = metered("s3://new/p", newRequests);
    private Optional<Homes> told = Optional.empty();
    private int questions;
    private final HomesStore store = new HomesStore(OLD, atOld, place -> place.equals(OLD) ? atOld : atNew, () -> {
        questions++;
        return told;
    });

    private static ObjectStore metered(String location, Map<RequestKind, Integer> counts) {
        return new MeteredObjectStore(
                new InMemoryObjectStore(location), (kind, bytes, outcome) -> counts.merge(kind, 1, Integer::sum));
    }

    private static Homes both(long number) {
        return new Homes(number, 2_000, List.of(NEW, OLD));
    }

    private static void put(ObjectStore to, String key) throws IOException {
        to.put(key, ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8)), PutCondition.NONE);
    }

    private String read(String key) throws IOException {
        ByteBuffer bytes = store.getTail(key, 1_000);
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    @Test
    void newObjectsGoToTheFirstHomeAndOldOnesAreReadWhereTheyAre() throws IOException {
        put(store, EARLY);
        store.take(both(1));
        put(store, LATE);
        assertThat(atOld.head(LATE)).isEmpty();
        assertThat(read(EARLY)).isEqualTo(EARLY);
        assertThat(read(LATE)).isEqualTo(LATE);
        assertThat(store.location()).isEqualTo("s3://new/p");
    }

    /** The time in the name says where a blob is, so an evacuation costs readers no request. */
    @Test
    void aReadIsOneRequest() throws IOException {
        put(store, EARLY);
        store.take(both(1));
        put(store, LATE);
        oldRequests.clear();
        newRequests.clear();
        assertThat(read(EARLY)).isEqualTo(EARLY);
        assertThat(oldRequests).containsExactly(Map.entry(RequestKind.GET, 1));
        assertThat(newRequests).isEmpty();
        assertThat(read(LATE)).isEqualTo(LATE);
        assertThat(oldRequests).hasSize(1);
        assertThat(newRequests).containsExactly(Map.entry(RequestKind.GET, 1));
    }

    @Test
    void aClockThatIsWrongHidesNoBlob() throws IOException {
        store.take(both(1));
        put(atOld, LATE);
        put(atNew, EARLY);
        assertThat(read(EARLY)).isEqualTo(EARLY);
        assertThat(read(LATE)).isEqualTo(LATE);
        assertThat(store.head(LATE)).isPresent();
        List<ByteBuffer> into = List.of(ByteBuffer.allocate(5), ByteBuffer.allocate(100));
        assertThat(store.get(LATE, 0, List.of(into.get(0)))).isEqualTo(5);
    }

    @Test
    void aReaderThatFindsNothingAsksWhereTheMountIsNow() throws IOException {
        put(atNew, LATE);
        told = Optional.of(both(1));
        assertThat(read(LATE)).isEqualTo(LATE);
        assertThat(questions).isEqualTo(1);
        assertThat(store.homes().number()).isEqualTo(1);
        assertThat(read(LATE)).isEqualTo(LATE);
        assertThat(questions).isEqualTo(1);
        assertThatExceptionOfType(ObjectNotFoundException.class).isThrownBy(() -> read("blobs/00/w-8-5"));
    }

    @Test
    void homesDoNotGoBack() throws IOException {
        store.take(both(3));
        store.take(new Homes(2, 0, List.of(OLD)));
        assertThat(store.homes()).isEqualTo(both(3));
        store.take(new Homes(4, 2_000, List.of(NEW)));
        put(atOld, "blobs/00/w-8-7");
        assertThat(store.head("blobs/00/w-8-7")).isEmpty();
    }

    @Test
    void aHomeThatDoesNotAnswerIsToldRatherThanAMissingObject() throws IOException {
        FaultyObjectStore broken = new FaultyObjectStore(
                new InMemoryObjectStore("s3://new/p"), Seed.random(), new FaultyObjectStore.Rates(1, 0, 0));
        HomesStore both = new HomesStore(OLD, atOld, place -> broken, HomesStore.Teller.NONE);
        both.take(both(1));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> both.getTail(LATE, 10));
    }

    @Test
    void aDeletedObjectIsAtNoHome() throws IOException {
        put(store, EARLY);
        store.take(both(1));
        put(atNew, EARLY);
        store.delete(List.of(EARLY));
        assertThat(atOld.head(EARLY)).isEmpty();
        assertThat(atNew.head(EARLY)).isEmpty();
    }

    @Test
    void aListingIsTheUnionInItsOrderWhateverThePagesAre() throws IOException {
        Random random = Seed.random();
        store.take(both(1));
        TreeSet<String> all = new TreeSet<>(ObjectKeys.UTF8_ORDER);
        for (int i = 0; i < 200; i++) {
            String key = "blobs/%02x/w-8-%d".formatted(random.nextInt(256), random.nextInt(5_000));
            all.add(key);
            boolean isTwice = random.nextInt(4) == 0;
            if (isTwice || random.nextBoolean()) {
                put(atOld, key);
            }
            if (isTwice || atOld.head(key).isEmpty()) {
                put(atNew, key);
            }
        }
        for (int limit : List.of(1, 2, 7, 50, 1_000)) {
            List<String> listed = new ArrayList<>();
            String after = "";
            for (List<ObjectInfo> page = store.list("blobs/", after, limit);
                    !page.isEmpty();
                    page = store.list("blobs/", after, limit)) {
                assertThat(page.size()).isLessThanOrEqualTo(limit);
                page.forEach(object -> listed.add(object.key()));
                after = page.get(page.size() - 1).key();
            }
            assertThat(listed).as("pages of %d", limit).containsExactlyElementsOf(all);
        }
    }

    @Test
    void anObjectIsCopiedBetweenStoresOfOneKindThroughTheirDecorators() throws IOException {
        put(atOld, EARLY);
        ObjectInfo object = atOld.head(EARLY).orElseThrow();
        assertThat(atNew.takesCopies(atOld, object.length())).isTrue();
        newRequests.clear();
        atNew.copy(atOld, object);
        assertThat(newRequests).containsExactly(Map.entry(RequestKind.PUT, 1));
        assertThat(atNew.getTail(EARLY, 100)).isEqualTo(atOld.getTail(EARLY, 100));
    }
}
