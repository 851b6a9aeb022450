// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.calls;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import io.packing.bdt.rpc.ScanRequest;
import io.packing.seed.Seed;
import java.lang.reflect.Method;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A test that unknown numbers of enums are sent as known ones are, and that protobuf does not keep them. */
final class EnumNumbersTest {
    private static final long SEED = Seed.value();

    /** Makes the type of a message with one number, one that may be absent, and many. */
    private static Descriptor type(String syntax) throws Exception {
        FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder()
                .setName("numbers.proto")
                .setSyntax(syntax)
                .addEnumType(EnumDescriptorProto.newBuilder()
                        .setName("Number")
                        .addValue(EnumValueDescriptorProto.newBuilder()
                                .setName("ZERO")
                                .setNumber(0))
                        .addValue(EnumValueDescriptorProto.newBuilder()
                                .setName("ONE")
                                .setNumber(1)));
        DescriptorProto.Builder message = DescriptorProto.newBuilder().setName("Numbers");
        message.addField(field("one", 1, FieldDescriptorProto.Label.LABEL_OPTIONAL));
        message.addField(field("many", 20, FieldDescriptorProto.Label.LABEL_REPEATED));
        return FileDescriptor.buildFrom(file.addMessageType(message).build(), new FileDescriptor[0])
                .findMessageTypeByName("Numbers");
    }

    private static FieldDescriptorProto field(String name, int number, FieldDescriptorProto.Label label) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setType(FieldDescriptorProto.Type.TYPE_ENUM)
                .setTypeName("Number")
                .setLabel(label)
                .build();
    }

    private static byte[] asked(FieldDescriptor field, List<Integer> numbers) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(field.getContainingType());
        for (int number : numbers) {
            Object value = field.getEnumType().findValueByNumberCreatingIfUnknown(number);
            if (field.isRepeated()) {
                message.addRepeatedField(field, value);
            } else {
                message.setField(field, value);
            }
        }
        return message.build().toByteArray();
    }

    private static byte[] put(FieldDescriptor field, List<Integer> numbers) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(field.getContainingType());
        EnumNumbers.put(message, field, numbers);
        return message.build().toByteArray();
    }

    /** Returns the count of unknown numbers that protobuf keeps for an enum. */
    private static int kept(EnumDescriptor type) throws ReflectiveOperationException {
        Method count = EnumDescriptor.class.getDeclaredMethod("getUnknownEnumValueDescriptorCount");
        count.setAccessible(true);
        return (int) count.invoke(type);
    }

    @Test
    void strangeNumbersAreTheBytesThatProtobufMakesOfThem() throws Exception {
        for (String syntax : List.of("proto2", "proto3")) {
            Descriptor type = type(syntax);
            FieldDescriptor one = type.findFieldByName("one");
            for (int number : new int[] {0, 1, 2, 300, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                assertThat(put(one, List.of(number)))
                        .as("%s %d", syntax, number)
                        .isEqualTo(asked(one, List.of(number)));
            }
            FieldDescriptor many = type.findFieldByName("many");
            for (List<Integer> numbers :
                    List.of(List.<Integer>of(), List.of(0, 1, 1), List.of(1, -7, 0, 1_000_000), List.of(2))) {
                assertThat(put(many, numbers)).as("%s %s", syntax, numbers).isEqualTo(asked(many, numbers));
            }
        }
    }

    @Test
    void framesHaveStrangeNumbersAndProtobufKeepsNone() throws Exception {
        EnumDescriptor type = ScanRequest.Part.getDescriptor();
        MessageMaker frames = new MessageMaker(new FieldValues());
        SplittableRandom random = new SplittableRandom(SEED);
        // An enum without such a lookup has no list of unknown numbers.
        assertThat(type.findValueByNumberCreatingIfUnknown(1_000_000).getIndex())
                .isNegative();
        int before = kept(type);
        int strange = 0;
        int known = 0;
        for (int i = 0; i < 500; i++) {
            byte[] wire = MessageMaker.wire(frames.next(ScanRequest.getDescriptor(), random));
            try {
                if (ScanRequest.parseFrom(wire).getPart() == ScanRequest.Part.UNRECOGNIZED) {
                    strange++;
                } else {
                    known++;
                }
            } catch (InvalidProtocolBufferException e) {
                // The text is invalid UTF-8.
            }
        }
        assertThat(strange).as("seed %d", SEED).isPositive();
        assertThat(known).as("seed %d", SEED).isPositive();
        assertThat(kept(type)).isEqualTo(before);
    }
}
