Creator "igraph version 1.0.0 Tue Nov 17 15:02:54 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    name "Acciaiuoli"
  ]
  node
  [
    id 1
    name "Medici"
  ]
  node
  [
    id 2
    name "Castellani"
  ]
  node
  [
    id 3
    name "Peruzzi"
  ]
  node
  [
    id 4
    name "Strozzi"
  ]
  node
  [
    id 5
    name "Barbadori"
  ]
  node
  [
    id 6
    name "Ridolfi"
  ]
  node
  [
    id 7
    name "Tornabuoni"
  ]
  node
  [
    id 8
    name "Albizzi"
  ]
  node
  [
    id 9
    name "Salviati"
  ]
  node
  [
    id 10
    name "Pazzi"
  ]
  node
  [
    id 11
    name "Bischeri"
  ]
  node
  [
    id 12
    name "Guadagni"
  ]
  node
  [
    id 13
    name "Ginori"
  ]
  node
  [
    id 14
    name "Lamberteschi"
  ]
  node
  [
    id 15
    name "Pucci"
  ]
  edge
  [
    source 1
    target 0
  ]
  edge
  [
    source 5
    target 1
  ]
  edge
  [
    source 6
    target 1
  ]
  edge
  [
    source 7
    target 1
  ]
  edge
  [
    source 8
    target 1
  ]
  edge
  [
    source 9
    target 1
  ]
  edge
  [
    source 3
    target 2
  ]
  edge
  [
    source 4
    target 2
  ]
  edge
  [
    source 5
    target 2
  ]
  edge
  [
    source 4
    target 3
  ]
  edge
  [
    source 11
    target 3
  ]
  edge
  [
    source 6
    target 4
  ]
  edge
  [
    source 11
    target 4
  ]
  edge
  [
    source 7
    target 6
  ]
  edge
  [
    source 12
    target 7
  ]
  edge
  [
    source 13
    target 8
  ]
  edge
  [
    source 12
    target 8
  ]
  edge
  [
    source 10
    target 9
  ]
  edge
  [
    source 12
    target 11
  ]
  edge
  [
    source 14
    target 12
  ]
]
