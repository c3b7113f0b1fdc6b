package sandbox

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/codemode-go/codemode/wire"
)

// frame returns a whole frame, in memory of its own. A [wire.Writer] would keep a buffer as large as the largest frame with every worker.
func frame(kind wire.Kind, payload []byte) []byte {
	f := make([]byte, 0, wire.HeaderSize+len(payload))
	f = append(binary.BigEndian.AppendUint32(f, uint32(len(payload))), byte(kind))
	return append(f, payload...)
}

// readSetup reads the Setup frame into memory of its own, which the engine may keep. A [wire.Reader], which believes no length, would let a buffer
// grow to it and leave several times the setup behind as garbage, in every idle worker; here the parent is believed.
func readSetup(in io.Reader) ([]byte, error) {
	var header [wire.HeaderSize]byte
	if _, err := io.ReadFull(in, header[:]); err != nil {
		return nil, err
	}
	length, kind := binary.BigEndian.Uint32(header[:]), wire.Kind(header[4])
	if kind != wire.KindSetup || length > maxFrameBytes {
		return nil, fmt.Errorf("parent sent %v of %d bytes, want Setup", kind, length)
	}
	setup := make([]byte, length)
	_, err := io.ReadFull(in, setup)
	return setup, err
}
