// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.group;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The state that the entries of a group's log have led to, without the rows of tables: it decides which entries are
 * accepted next. It is a
 * text, which a member keeps in a file and sends to others. Confined to the thread that applies the entries.
 *
 * <pre>
 * packing masters 1
 * term TERM INDEX                             of its first entry, of the last terms
 * applied TERM INDEX
 * tables FOLDER
 * mount ID FOLDER EPOCH POSITION READY        in Base64
 * filling ID FOLDER TOKEN
 * member ID INSTANCE STARTS ADDRESS
 * texts VERSION
 * text NAME TEXT                              in Base64
 * end
 * </pre>
 */
public final class MasterGroupState {
    private static final String FIRST_LINE = "packing masters 1";
    private static final int MOST_TERMS = 1_000;

    /** The current table of a mount. */
    public record Mount(String folder, long leaseEpoch, long position, String ready) {}

    /** A table that is being filled. */
    record Filling(String folder, long token) {}

    /** A member as of its last start. */
    public record Member(String instance, long starts, String address) {}

    private final Map<String, Mount> mounts = new TreeMap<>();
    private final Map<String, Filling> fillings = new TreeMap<>();
    private final Map<String, Member> members = new TreeMap<>();
    /** The small texts by their names. */
    private final Map<String, String> texts = new TreeMap<>();
    /** The terms by the indexes of their first entries. */
    private final NavigableMap<Long, Long> terms = new TreeMap<>();

    private long term;
    private long index = -1;
    private int tables = 1;
    private long textsVersion;

    /** Returns the index of the last entry. */
    public long index() {
        return index;
    }

    /** Returns the term of the last entry. */
    public long term() {
        return term;
    }

    /** Returns the number of the tables' folder. */
    int tables() {
        return tables;
    }

    Map<String, Mount> mounts() {
        return mounts;
    }

    Map<String, Filling> fillings() {
        return fillings;
    }

    Map<String, Member> members() {
        return members;
    }

    /** Returns a member as of its last start. */
    public Optional<Member> member(String id) {
        return Optional.ofNullable(members.get(id));
    }

    /** Returns the small texts by their names. */
    Map<String, String> texts() {
        return texts;
    }

    /** Returns the number of changes of the texts. */
    long textsVersion() {
        return textsVersion;
    }

    /** Keeps a text; returns false if it does not follow the last version. */
    boolean keep(MasterGroupEntry.Text entry) {
        if (entry.version() != textsVersion + 1) {
            return false;
        }
        texts.put(entry.name(), new String(entry.text(), StandardCharsets.UTF_8));
        textsVersion = entry.version();
        return true;
    }

    /** Returns this state without the texts, which only members may see. */
    public MasterGroupState withoutTexts() {
        MasterGroupState bare = decode(encode());
        bare.texts.clear();
        return bare;
    }

    /** Returns the current table of a mount. */
    Optional<Mount> mount(String id) {
        return Optional.ofNullable(mounts.get(id));
    }

    /** Returns the term of an applied entry, if it is one of the last terms. */
    Optional<Long> termOf(long entry) {
        return entry > index
                ? Optional.empty()
                : Optional.ofNullable(terms.floorEntry(entry)).map(Map.Entry::getValue);
    }

    void applied(long entryTerm, long entryIndex) {
        if (terms.isEmpty() || entryTerm != term) {
            terms.put(entryIndex, entryTerm);
        }
        if (terms.size() > MOST_TERMS) {
            terms.remove(terms.firstKey());
        }
        term = entryTerm;
        index = entryIndex;
    }

    /** Returns this state with tables in another folder. */
    MasterGroupState in(int folder) {
        MasterGroupState moved = decode(encode());
        moved.tables = folder;
        return moved;
    }

    /**
     * Returns whether the group accepts a start: the member is new, or its directory is known and has a later start.
     */
    public boolean accepts(MasterGroupEntry.Member member) {
        Member known = members.get(member.id());
        return known == null || (known.instance.equals(member.instance()) && known.starts < member.starts());
    }

    /** Returns whether this is the last known start of the member. */
    public boolean knows(MasterGroupEntry.Member member) {
        Member known = members.get(member.id());
        return known != null && known.instance.equals(member.instance()) && known.starts == member.starts();
    }

    /** Encodes the state as text. */
    public String encode() {
        StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
        terms.forEach((first, each) -> text.append("term %d %d\n".formatted(each, first)));
        text.append("applied %d %d\ntables %d\n".formatted(term, index, tables));
        mounts.forEach((id, mount) -> text.append("mount %s %s %d %d %s\n"
                .formatted(id, mount.folder, mount.leaseEpoch, mount.position, base64(mount.ready))));
        fillings.forEach(
                (id, filling) -> text.append("filling %s %s %d\n".formatted(id, filling.folder, filling.token)));
        members.forEach((id, member) ->
                text.append("member %s %s %d %s\n".formatted(id, member.instance, member.starts, member.address)));
        text.append("texts %d\n".formatted(textsVersion));
        texts.forEach((name, each) -> text.append("text %s %s\n".formatted(name, base64(each))));
        return text.append("end\n").toString();
    }

    /**
     * Decodes the text of {@link #encode}.
     *
     * @throws IllegalArgumentException if the text is malformed
     */
    public static MasterGroupState decode(String text) {
        String[] lines = text.split("\n", -1);
        if (!lines[0].equals(FIRST_LINE) || !text.endsWith("\nend\n")) {
            throw new IllegalArgumentException("it is cut off, or of another version");
        }
        MasterGroupState state = new MasterGroupState();
        try {
            for (int i = 1; i < lines.length - 2; i++) {
                state.read(lines[i].split(" ", -1));
            }
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("a line is cut off", e);
        }
        return state;
    }

    private void read(String[] line) {
        switch (line[0]) {
            case "term" -> terms.put(Long.parseLong(line[2]), Long.parseLong(line[1]));
            case "applied" -> {
                term = Long.parseLong(line[1]);
                index = Long.parseLong(line[2]);
            }
            case "tables" -> tables = Integer.parseInt(line[1]);
            case "mount" ->
                mounts.put(
                        line[1], new Mount(line[2], Long.parseLong(line[3]), Long.parseLong(line[4]), text(line[5])));
            case "filling" -> fillings.put(line[1], new Filling(line[2], Long.parseLong(line[3])));
            case "member" -> members.put(line[1], new Member(line[2], Long.parseLong(line[3]), line[4]));
            case "texts" -> textsVersion = Long.parseLong(line[1]);
            case "text" -> texts.put(line[1], text(line[2]));
            default -> throw new IllegalArgumentException("a line that begins with '%s'".formatted(line[0]));
        }
    }

    /** Decodes a file's text. */
    static MasterGroupState decode(String text, Object where) throws IOException {
        try {
            return decode(text);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "%s is damaged (%s): replace this member by one with an empty directory".formatted(where, e), e);
        }
    }

    private static String text(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
